import { createHash, randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createClient, type Client, type Progress, type ResumeMemory, type SeekableSource } from '@svc/sdk'
import { startFaultyProxy, type FaultyProxy } from '../support/servers/faulty-proxy.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

interface ProxiedServer {
  readonly server: TestServer
  readonly proxy: FaultyProxy
  /** Sends through the proxy, and does not wait between attempts. */
  readonly client: Client
}

async function startProxiedServer(): Promise<ProxiedServer> {
  const server = await startTestServer()
  open.push(() => server.close())
  const proxy = await startFaultyProxy(server.url)
  open.push(() => proxy.close())
  return { server, proxy, client: createClient({ baseURL: proxy.url, wait: () => Promise.resolve() }) }
}

const bytes = randomBytes(3_000_000)
const md5 = createHash('md5').update(bytes).digest('hex')
const source: SeekableSource = {
  size: bytes.length,
  // eslint-disable-next-line @typescript-eslint/require-await -- it has the interface of a file
  async *between(start, end) {
    for (let at = start; at < end; at += 50_000) yield bytes.subarray(at, Math.min(end, at + 50_000))
  },
}
const resumable = { threshold: 1_000_000 }

const send = async (client: Client, more: object = {}) => {
  const { id, uploadToken } = await client.createUpload()
  const file = await client.addFile(id, source, { fileName: 'a.bin', uploadToken, resumable, ...more })
  return { id, uploadToken, file }
}

const whole = { fileName: 'a.bin', fileSize: bytes.length, md5, status: 'uploaded' }

/** A first run of a program, which ends when it has sent half of the file. */
async function interruptedRun(client: Client) {
  const stored = new Map<string, string>()
  const memory: ResumeMemory = {
    get: (key) => stored.get(key),
    set: (key, value) => void stored.set(key, value),
    remove: (key) => void stored.delete(key),
  }
  const stop = new AbortController()
  const { id, uploadToken } = await client.createUpload()
  const options = {
    fileName: 'a.bin',
    uploadToken,
    resumable: { ...resumable, memory, fingerprint: 'a.bin' },
  }
  const onProgress = ({ sent }: Progress) => {
    if (sent >= bytes.length / 2) stop.abort(new Error('the program ends'))
  }
  const sending = client.addFile(id, source, { ...options, onProgress, signal: stop.signal })
  await expect(sending).rejects.toThrow('the program ends')
  expect(stored.size).toBe(1)
  return { id, options, stored }
}

describe('a large file', () => {
  test('is sent in one part without a fault', async () => {
    const { client, proxy } = await startProxiedServer()
    const reports: Progress[] = []
    const { file } = await send(client, { onProgress: (progress: Progress) => reports.push(progress) })
    expect(file).toMatchObject(whole)
    expect(proxy.requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(1)
    expect(reports.at(-1)).toEqual({ sent: bytes.length, total: bytes.length })
  })

  test('resumes whenever its connection is cut', async () => {
    const { client, proxy } = await startProxiedServer()
    const cuts = [10, 400_000, 0, 700_000].map((after) =>
      proxy.fail({ kind: 'cut-request', after }, { when: /^PATCH/, times: 1 }),
    )
    const { file } = await send(client)
    expect(file).toMatchObject(whole)
    expect(cuts.map((happened) => happened())).toEqual([1, 1, 1, 1])
  })

  test.each([0, 2])('fails after %i retries without progress', async (retries) => {
    const { client, proxy } = await startProxiedServer()
    const cuts = proxy.fail({ kind: 'cut-request', after: 0 }, { when: /^PATCH/ })
    await expect(send(client, { resumable: { ...resumable, retries } })).rejects.toMatchObject({
      code: 'network',
    })
    expect(cuts()).toBe(retries + 1)
  })

  test('has all retries again after each progress', async () => {
    const { client, proxy } = await startProxiedServer()
    const cuts = proxy.fail({ kind: 'cut-request', after: 600_000 }, { when: /^PATCH/, times: 4 })
    expect((await send(client, { resumable: { ...resumable, retries: 1 } })).file).toMatchObject(whole)
    expect(cuts()).toBe(4)
  })

  test('is complete although the last response was lost', async () => {
    const { client, proxy } = await startProxiedServer()
    proxy.fail({ kind: 'lose-response' }, { when: /^PATCH/, times: 1 })
    expect((await send(client)).file).toMatchObject(whole)
  })

  test.each([{ status: 200, body: '<html>Please log in</html>' }, { status: 204 }])(
    'does not count as sent when a proxy responds $status in the place of the server',
    async (response) => {
      const { client, proxy } = await startProxiedServer()
      proxy.fail({ kind: 'respond', ...response }, { when: /^(PATCH|HEAD)/, times: 3 })
      expect((await send(client)).file).toMatchObject(whole)
    },
  )

  test.each([{}, { 'upload-offset': '0' }])(
    'fails when its bytes never arrive, although responses do, with headers %j',
    async (headers) => {
      const { client, proxy } = await startProxiedServer()
      proxy.fail({ kind: 'respond', status: 204, headers }, { when: /^PATCH/ })
      await expect(send(client)).rejects.toMatchObject({ code: 'invalid_response' })
    },
  )

  test('fails when a proxy refuses even the smallest parts', async () => {
    const { client, proxy } = await startProxiedServer()
    proxy.fail({ kind: 'respond', status: 413 }, { when: /^PATCH/ })
    await expect(send(client)).rejects.toMatchObject({ code: 'http_413' })
  })

  test.each([408, 429, 502, 503])('begins once a proxy that responds %i lets it pass', async (status) => {
    const { client, proxy } = await startProxiedServer()
    proxy.fail({ kind: 'respond', status }, { when: /^POST \/tus/, times: 2 })
    const { file } = await send(client)
    expect(file).toMatchObject(whole)
    expect(proxy.requests.filter((request) => request.includes('/file/'))).toEqual([])
  })

  test('exists once, although the response to its creation was lost', async () => {
    const { client, proxy } = await startProxiedServer()
    proxy.fail({ kind: 'lose-response' }, { when: /^POST \/tus/, times: 1 })
    proxy.fail({ kind: 'cut-request', after: 0 }, { when: /^GET \/upload/, times: 1 })
    const memory = { get: () => undefined, set: vi.fn<ResumeMemory['set']>(), remove: () => undefined }
    const { id } = await send(client, { resumable: { ...resumable, memory, fingerprint: 'a' } })
    const { files } = await client.upload(id)
    expect(files).toMatchObject([whole])
    expect(memory.set).toHaveBeenCalledWith(expect.anything(), files[0]?.id)
  })

  test('leaves nothing behind when it is aborted during its creation', async () => {
    const { client, server, proxy } = await startProxiedServer()
    const { id, uploadToken } = await client.createUpload()
    proxy.fail({ kind: 'keep-response' }, { when: /^POST \/tus/ })
    const stop = new AbortController()
    const options = { fileName: 'a.bin', uploadToken, resumable, signal: stop.signal }
    const sending = client.addFile(id, source, options)
    const files = async () => (await server.client.upload(id)).files.map(({ status }) => status)
    await until('the file is begun', async () => (await files()).includes('uploading'))
    stop.abort(new Error('not that one'))
    await expect(sending).rejects.toThrow('not that one')
    await until('the file is given up', async () => !(await files()).includes('uploading'))
  })

  test('leaves nothing behind when it is aborted before its second creation', async () => {
    const { server, proxy } = await startProxiedServer()
    proxy.fail({ kind: 'lose-response' }, { when: /^POST \/tus/ })
    const stop = new AbortController()
    const wait = (_ms: number, signal: AbortSignal | undefined): Promise<void> => {
      stop.abort(new Error('not that one'))
      return Promise.reject(signal?.reason as Error)
    }
    const client = createClient({ baseURL: proxy.url, wait })
    const { id, uploadToken } = await client.createUpload()
    const options = { fileName: 'a.bin', uploadToken, resumable, signal: stop.signal }
    await expect(client.addFile(id, source, options)).rejects.toThrow('not that one')
    const statuses = async () => (await server.client.upload(id)).files.map(({ status }) => status)
    await until('the file is given up', async () => !(await statuses()).includes('uploading'))
  })

  test('waits for an unreachable server', async () => {
    const { client, proxy } = await startProxiedServer()
    proxy.fail({ kind: 'respond', status: 503 }, { when: /^(PATCH|HEAD) \/tus/, times: 4 })
    expect((await send(client)).file).toMatchObject(whole)
  })

  test('is sent in smaller parts through a proxy that limits bodies', async () => {
    const { client, proxy } = await startProxiedServer()
    proxy.fail({ kind: 'respond', status: 413 }, { when: /^PATCH/, times: 1 })
    expect((await send(client)).file).toMatchObject(whole)
    expect(proxy.requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(3)
  })

  test('is sent by POST where a proxy blocks PATCH', async () => {
    const { client, proxy } = await startProxiedServer()
    proxy.fail({ kind: 'respond', status: 405 }, { when: /^PATCH/ })
    expect((await send(client)).file).toMatchObject(whole)
  })

  test('is sent as a form where resumable uploads are not supported', async () => {
    const { client, proxy } = await startProxiedServer()
    proxy.fail({ kind: 'respond', status: 404 }, { when: /\/tus\// })
    expect((await send(client)).file).toMatchObject(whole)
  })

  test('fails without progress, with the reason', async () => {
    const { client, proxy } = await startProxiedServer()
    proxy.fail({ kind: 'cut-request', after: 0 }, { when: /\/tus\/.*\// })
    await expect(send(client)).rejects.toMatchObject({ code: 'network' })
  })

  test('does not retry a permanent error', async () => {
    const { client, server } = await startProxiedServer()
    const { id, uploadToken } = await client.createUpload()
    await server.client.removeUpload(id, { uploadToken })
    const sending = client.addFile(id, source, { fileName: 'a.bin', uploadToken, resumable })
    await expect(sending).rejects.toMatchObject({ code: 'upload_not_found' })
  })

  test('resumes in the next run of a program that remembers it', async () => {
    const { client, proxy, server } = await startProxiedServer()
    const { id, options, stored } = await interruptedRun(client)

    const reports: Progress[] = []
    const second = createClient({ baseURL: proxy.url })
    const file = await second.addFile(id, source, {
      ...options,
      onProgress: (progress) => reports.push(progress),
    })
    expect(file).toMatchObject(whole)
    expect(reports[0]?.sent).toBeGreaterThan(0)
    expect(stored.size).toBe(0)
    expect((await server.client.upload(id)).files).toHaveLength(1)
  })

  test('is sent from its beginning in the next run when its size has changed', async () => {
    const { client } = await startProxiedServer()
    const { id, options } = await interruptedRun(client)
    const changed = new Blob([bytes.subarray(0, 2_000_000)])
    const file = await client.addFile(id, changed, options)
    const changedMd5 = createHash('md5').update(bytes.subarray(0, 2_000_000)).digest('hex')
    expect(file).toMatchObject({ fileSize: 2_000_000, md5: changedMd5, status: 'uploaded' })
  })
})

test('a small file is sent as a form', async () => {
  const { client, proxy } = await startProxiedServer()
  const { file } = await send(client, { resumable: {} })
  expect(file).toMatchObject(whole)
  expect(proxy.requests.some((request) => request.includes('/tus/'))).toBe(false)
})

describe('a small declared file', () => {
  const small = bytes.subarray(0, 900_000)
  const sent = { fileName: 'a/b.bin', fileSize: small.length, status: 'uploaded' }
  const sendDeclared = async (client: Client, onInterruption?: (error: unknown) => void) => {
    const { id, uploadToken, files } = await client.createUpload({ files: [{ fileName: 'a/b.bin' }] })
    await client.sendFile(id, new Blob([small]), {
      fileName: 'a/b.bin',
      fileID: files[0]?.id,
      uploadToken,
      resumable: { threshold: -1, ...(onInterruption && { onInterruption }) },
    })
    return (await client.upload(id)).files
  }

  test('is sent in a single request', async () => {
    const { client, proxy } = await startProxiedServer()
    expect(await sendDeclared(client)).toMatchObject([sent])
    expect(proxy.requests.filter((request) => request.includes('/tus/'))).toHaveLength(1)
  })

  test.for([0, 300_000])('resumes after a cut at %i bytes', async (after) => {
    const { client, proxy } = await startProxiedServer()
    proxy.fail({ kind: 'cut-request', after }, { when: /^POST \/tus/, times: 1 })
    const cuts: unknown[] = []
    expect(await sendDeclared(client, (error) => cuts.push(error))).toMatchObject([sent])
    // The bytes of the cut connection may arrive between the request for the offset and the next part.
    const [first, ...later] = cuts
    expect(first).toMatchObject({ code: 'network' })
    for (const cut of later) expect(cut).toMatchObject({ code: 'offset_mismatch' })
  })

  test('is complete, and exists once, although the response was lost', async () => {
    const { client, proxy } = await startProxiedServer()
    proxy.fail({ kind: 'lose-response' }, { when: /^POST \/tus/, times: 1 })
    expect(await sendDeclared(client)).toMatchObject([sent])
  })
})
