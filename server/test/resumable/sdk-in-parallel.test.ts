import { createHash, randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createClient,
  type AddFileOptions,
  type Client,
  type Progress,
  type ResumableOptions,
  type ResumeMemory,
  type Source,
} from '@svc/sdk'
import { startFaultyProxy, type FaultyProxy } from '../support/servers/faulty-proxy.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'

let server: TestServer
let proxy: FaultyProxy
/** Sends through the proxy, and does not wait between attempts. */
let client: Client
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  proxy = await startFaultyProxy(server.url)
  client = createClient({ baseURL: proxy.url, wait: () => Promise.resolve() })
})
afterEach(() => proxy.close())

const parallel = 4
const bytes = randomBytes(4_500_000)
const md5 = createHash('md5').update(bytes).digest('hex')
const fileName = 'folder/a.bin'
const whole = { fileName, fileSize: bytes.length, md5, status: 'uploaded' }

const newUpload = async () => {
  const { id, uploadToken = '' } = await client.createUpload()
  return { id, uploadToken }
}
type Target = Awaited<ReturnType<typeof newUpload>>

const add = (
  { id, uploadToken }: Target,
  { source = new Blob([bytes]), ...options }: Partial<AddFileOptions> & { readonly source?: Source } = {},
) => client.addFile(id, source, { fileName, uploadToken, resumable: { threshold: 0, parallel }, ...options })

const requestsFor = (pattern: RegExp) => proxy.requests.filter((request) => pattern.test(request))
const partPaths = () => [...new Set(requestsFor(/^PATCH/).map((request) => request.slice('PATCH '.length)))]
const creations = /^POST \/tus/

/** A request for an unfinished file, past the proxy. */
const head = ({ uploadToken }: Target, path: string) =>
  fetch(server.url + path, {
    method: 'HEAD',
    headers: { 'tus-resumable': '1.0.0', 'x-uploadtoken': uploadToken },
  })

const untilGone = (target: Target, paths: readonly string[]) =>
  until('the partial uploads are gone', async () => {
    const responses = await Promise.all(paths.map((path) => head(target, path)))
    return responses.every(({ status }) => status === 404)
  })

function memoryOf(): { readonly stored: Map<string, string>; readonly resumable: ResumableOptions } {
  const stored = new Map<string, string>()
  const memory: ResumeMemory = {
    get: (key) => stored.get(key),
    set: (key, value) => void stored.set(key, value),
    remove: (key) => void stored.delete(key),
  }
  return { stored, resumable: { threshold: 0, parallel, memory, fingerprint: 'a.bin' } }
}

/** Sends with a memory until each connection has sent something, and aborts. */
async function sendSome(target: Target, resumable: ResumableOptions): Promise<readonly string[]> {
  const stop = new AbortController()
  const cuts = proxy.fail({ kind: 'cut-request', after: 300_000 }, { when: /^PATCH/, times: parallel })
  const sending = add(target, {
    signal: stop.signal,
    resumable: {
      ...resumable,
      onInterruption: () => {
        if (cuts() === parallel) stop.abort(new Error('the program ends'))
      },
    },
  })
  await expect(sending).rejects.toThrow('the program ends')
  proxy.heal()
  return partPaths()
}

const filesOf = async ({ id }: Target) => (await server.client.upload(id)).files

describe('a file that is sent in parallel', () => {
  const sources: readonly (readonly [string, Source])[] = [
    ['a blob', new Blob([bytes])],
    [
      'a file',
      {
        size: bytes.length,
        // eslint-disable-next-line @typescript-eslint/require-await -- it has the interface of a file
        between: async function* (start, end) {
          for (let at = start; at < end; at += 50_000) yield bytes.subarray(at, Math.min(end, at + 50_000))
        },
      },
    ],
  ]
  test.each(sources)('uses its connections at the same time, from %s', async (_kind, source) => {
    const held = Promise.withResolvers<undefined>()
    proxy.fail({ kind: 'hold', until: held.promise }, { when: /^PATCH/ })
    const reports: Progress[] = []
    const target = await newUpload()
    const sending = add(target, { source, onProgress: (progress) => reports.push(progress) })
    await expect.poll(() => requestsFor(/^PATCH/)).toHaveLength(parallel)
    held.resolve(undefined)
    expect(await sending).toMatchObject(whole)
    expect(await filesOf(target)).toHaveLength(1)
    expect(reports.at(-1)).toEqual({ sent: bytes.length, total: bytes.length })
    expect(reports.map(({ sent }) => sent)).toEqual(reports.map(({ sent }) => sent).toSorted((a, b) => a - b))
  })

  test('resumes on each connection that is cut', async () => {
    const cuts = [10, 400_000, 0, 700_000, 20].map((after) =>
      proxy.fail({ kind: 'cut-request', after }, { when: /^PATCH/, times: 1 }),
    )
    expect(await add(await newUpload())).toMatchObject(whole)
    expect(cuts.map((happened) => happened())).toEqual([1, 1, 1, 1, 1])
    expect(partPaths()).toHaveLength(parallel)
  })

  test('begins once a proxy lets it pass, and is sent by POST where PATCH is blocked', async () => {
    proxy.fail({ kind: 'respond', status: 502 }, { when: creations, times: 3 })
    proxy.fail({ kind: 'respond', status: 503 }, { when: /^OPTIONS/, times: 1 })
    proxy.fail({ kind: 'respond', status: 405 }, { when: /^PATCH/ })
    expect(await add(await newUpload())).toMatchObject(whole)
  })

  test.for([1, 3])('exists once, although %i responses to its last request were lost', async (times) => {
    proxy.fail({ kind: 'lose-response' }, { when: creations, skip: parallel, times })
    const target = await newUpload()
    expect(await add(target)).toMatchObject(whole)
    expect(await filesOf(target)).toHaveLength(1)
  })

  test('is sent by one connection if it is declared, small, or the server does not join', async () => {
    const files = [{ fileName, fileSize: bytes.length }]
    const { id, uploadToken = '', files: declared } = await client.createUpload({ files })
    expect(await add({ id, uploadToken }, { fileID: declared[0]?.id })).toMatchObject(whole)
    expect(requestsFor(/^OPTIONS/)).toEqual([])

    await add(await newUpload(), { source: new Blob([bytes.subarray(0, 2_000_000)]) })
    expect(requestsFor(/^OPTIONS/)).toEqual([])

    for (const status of [204, 404]) {
      proxy.fail({ kind: 'respond', status }, { when: /^OPTIONS/, times: 1 })
      expect(await add(await newUpload())).toMatchObject(whole)
    }
    expect(partPaths()).toHaveLength(4)
  })

  test('is sent as a form where resumable uploads are not supported', async () => {
    proxy.fail({ kind: 'respond', status: 404 }, { when: creations })
    expect(await add(await newUpload(), { fileName: 'a.bin' })).toMatchObject({ ...whole, fileName: 'a.bin' })
  })
})

describe('the partial uploads', () => {
  test('are removed when the caller aborts', async () => {
    const stop = new AbortController()
    proxy.fail({ kind: 'stall' }, { when: /^PATCH/ })
    const target = await newUpload()
    const sending = add(target, { signal: stop.signal })
    await expect.poll(partPaths).toHaveLength(parallel)
    stop.abort(new Error('not that one'))
    await expect(sending).rejects.toThrow('not that one')
    await untilGone(target, partPaths())
  })

  test('are removed when the caller aborts while they begin', async () => {
    const held = Promise.withResolvers<undefined>()
    proxy.fail({ kind: 'hold', until: held.promise }, { when: creations, skip: 1 })
    const stop = new AbortController()
    const sending = add(await newUpload(), { signal: stop.signal })
    await expect.poll(() => requestsFor(creations)).toHaveLength(parallel)
    stop.abort(new Error('not that one'))
    await expect(sending).rejects.toThrow('not that one')
    held.resolve(undefined)
    await expect.poll(() => requestsFor(/^DELETE \/tus/)).toHaveLength(parallel)
  })

  test('end with one that is refused', async () => {
    proxy.fail({ kind: 'respond', status: 403 }, { when: /^PATCH/, times: 1 })
    proxy.fail({ kind: 'stall' }, { when: /^PATCH/ })
    const target = await newUpload()
    await expect(add(target)).rejects.toMatchObject({ code: 'http_403' })
    await untilGone(target, partPaths())
  })

  test('are removed when the server refuses the file, even with a memory', async () => {
    const { stored, resumable } = memoryOf()
    const target = await newUpload()
    const refused = { name: 'ApiError', code: 'invalid_file_name' }
    await expect(add(target, { resumable, fileName: '../a' })).rejects.toMatchObject(refused)
    expect(partPaths()).toHaveLength(parallel)
    expect(stored.size).toBe(0)
    await untilGone(target, partPaths())
  })

  test('are removed when the memory is full', async () => {
    const { resumable } = memoryOf()
    const memory: ResumeMemory = {
      get: () => undefined,
      set: () => {
        throw new Error('the memory is full')
      },
      remove: () => undefined,
    }
    const sending = add(await newUpload(), { resumable: { ...resumable, memory } })
    await expect(sending).rejects.toThrow('the memory is full')
    await expect.poll(() => requestsFor(/^DELETE \/tus/)).toHaveLength(parallel)
  })
})

describe('in the next run of a program', () => {
  test('each partial upload resumes where it stopped', async () => {
    const { stored, resumable } = memoryOf()
    const target = await newUpload()
    const paths = await sendSome(target, resumable)
    expect(stored.size).toBe(1)
    const reports: Progress[] = []
    const file = await add(target, {
      // The file is divided as before.
      resumable: { ...resumable, parallel: 1 },
      onProgress: (progress) => reports.push(progress),
    })
    expect(file).toMatchObject(whole)
    expect(reports[0]?.sent).toBeGreaterThan(0)
    expect(partPaths().toSorted()).toEqual(paths.toSorted())
    expect(stored.size).toBe(0)
    expect(await filesOf(target)).toHaveLength(1)
  })

  test('a file that was joined is found', async () => {
    const { stored, resumable } = memoryOf()
    const target = await newUpload()
    proxy.fail({ kind: 'lose-response' }, { when: creations, skip: parallel, times: 1 })
    const sending = add(target, { resumable: { ...resumable, retries: 0 } })
    await expect(sending).rejects.toMatchObject({ code: 'network' })
    expect(stored.size).toBe(1)
    const requests = requestsFor(creations).length
    expect(await add(target, { resumable })).toMatchObject(whole)
    expect(requestsFor(creations)).toHaveLength(requests)
    expect(stored.size).toBe(0)
  })

  test('a declared file is sent by one connection, not joined from partial uploads', async () => {
    const { resumable } = memoryOf()
    const {
      id,
      uploadToken = '',
      files: [declared],
    } = await client.createUpload({ files: [{ fileName: 'declared.bin', fileSize: bytes.length }] })
    const target = { id, uploadToken }
    await sendSome(target, resumable)
    const file = await add(target, { fileName: 'declared.bin', fileID: declared?.id, resumable })
    expect(file).toMatchObject({ id: declared?.id, md5, status: 'uploaded' })
  })

  test('it begins again when a partial upload is gone, or the file has another size', async () => {
    const { stored, resumable } = memoryOf()
    const target = await newUpload()
    const [gone = '', ...others] = await sendSome(target, resumable)
    await fetch(server.url + gone, {
      method: 'DELETE',
      headers: { 'tus-resumable': '1.0.0', 'x-uploadtoken': target.uploadToken },
    })
    expect(await add(target, { resumable })).toMatchObject(whole)
    await untilGone(target, others)

    const earlier = new Set(partPaths())
    const left = (await sendSome(target, resumable)).filter((path) => !earlier.has(path))
    const source = new Blob([bytes.subarray(1)])
    expect(await add(target, { resumable, source })).toMatchObject({ fileSize: bytes.length - 1 })
    expect(left).toHaveLength(parallel)
    await untilGone(target, left)
    expect(stored.size).toBe(0)
  })
})
