import { readdir, readFile, symlink, writeFile, mkdir } from 'node:fs/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let server: Svcd
let proxy: FaultyProxy
let svc: Svc
let client: Client
const disturbances: string[] = []

/** A host of tools that starts svc as users configure it. */
async function connected(...args: readonly string[]): Promise<Client> {
  const host = new Client({ name: 'test', version: '1' })
  host.onerror = (error) => disturbances.push(error.message)
  const env = { PATH: process.env['PATH'] ?? '', HOME: svc.directory, SVC_SERVER: proxy.url }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [svc.program, 'mcp', ...args],
    cwd: svc.directory,
    env,
    stderr: 'inherit',
  })
  await host.connect(transport)
  return host
}

beforeAll(async () => {
  server = await startSvcd(await emptyDirectory(), { FEATURE_STREAM: 'disabled' })
  proxy = await startFaultyProxy(server.url)
  svc = await installSvc(proxy.url)
  client = await connected('--overwrite')
})
afterAll(async () => {
  await client.close()
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close(), proxy.close()])
})

async function call(name: string, args: Record<string, unknown> = {}, host: Client = client) {
  // The client checks the structured content.
  const { content, isError, structuredContent } = await host.callTool({ name, arguments: args })
  expect(structuredContent === undefined).toBe(isError === true)
  const texts = (content as readonly { readonly text: string }[]).map(({ text }) => text)
  return { failed: isError === true, text: texts.join('\n') }
}

interface Sent {
  readonly id: string
  readonly url: string
  readonly files: readonly { readonly name: string; readonly url: string }[]
}

async function sent(name: string, args: Record<string, unknown>): Promise<Sent> {
  const { failed, text } = await call(name, args)
  if (failed) throw new Error(text)
  return JSON.parse(text) as Sent
}

test('the server offers five tools with descriptions and input schemas', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'download',
    'server_info',
    'upload_file',
    'upload_files',
    'upload_text',
  ])
  for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
    expect(description).toMatch(/\.$/)
    expect(inputSchema.type).toBe('object')
    expect(outputSchema?.type).toBe('object')
    expect(annotations?.readOnlyHint).toBe(name === 'server_info')
  }
})

test('upload_text uploads a text, and download returns text only on request', async () => {
  const { id, url } = await sent('upload_text', {
    text: 'grüße\n',
    name: 'a.txt',
    ttl: '1h',
    one_shot: false,
  })
  expect(await server.client.upload(id)).toMatchObject({
    ttl: 3600,
    files: [{ fileName: 'a.txt', fileSize: 8 }],
  })
  expect(await call('download', { link: url, return_text: true })).toEqual({ failed: false, text: 'grüße\n' })
  const written = await call('download', { link: url, folder: 'got' })
  expect(JSON.parse(written.text)).toMatchObject({
    files: [{ status: 'downloaded', path: svc.path('got/a.txt') }],
  })
  expect(written.text).not.toContain('grüße')
  expect(await readFile(svc.path('got/a.txt'), 'utf8')).toBe('grüße\n')
})

test('files and folders are uploaded by path, and the result contains no token', async () => {
  await mkdir(svc.path('folder'))
  await writeFile(svc.path('folder/b.txt'), 'b')
  await writeFile(svc.path('-o'), 'not an option')
  const one = await sent('upload_file', { path: '-o', name: 'other.txt' })
  expect(one.files.map(({ name }) => name)).toEqual(['other.txt'])
  expect(JSON.stringify(one)).not.toContain('oken')
  const both = await sent('upload_files', { paths: [svc.path('folder'), '-o'] })
  expect(both.files.map(({ name }) => name)).toEqual(['folder/b.txt', '-o'])
  const packed = await sent('upload_files', { paths: ['folder'], archive: 'zip', removable: true })
  await call('download', { link: packed.url, folder: 'unpacked', extract: true })
  expect(await readFile(svc.path('unpacked/folder/b.txt'), 'utf8')).toBe('b')
})

test('a text is encrypted before the upload, with the key in its link or for given recipients', async () => {
  const secret = { text: 'a secret', name: 'secret.txt', encrypt: true }
  const { id, url } = await sent('upload_text', secret)
  expect(await server.client.upload(id)).toMatchObject({ e2ee: 'age' })
  expect(url).toContain('#key=')
  expect(await call('download', { link: url, return_text: true })).toEqual({
    failed: false,
    text: 'a secret',
  })
  const [withoutKey = ''] = url.split('#key=')
  expect(await call('download', { link: withoutKey, return_text: true })).toMatchObject({ failed: true })
  const recipients = ['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p']
  expect((await sent('upload_text', { ...secret, encrypt: false, recipients })).url).not.toContain('#key=')
  const bad = await call('upload_text', { text: 'x', recipients: ['age1nobody'] })
  expect(bad).toMatchObject({ failed: true })
})

test('server_info describes the server', async () => {
  const { text } = await call('server_info')
  expect(JSON.parse(text)).toMatchObject({
    server: proxy.url,
    loggedIn: false,
    limits: { maxFilePerUpload: 1000 },
    features: { stream: 'disabled', one_shot: 'enabled' },
  })
})

describe('a failed call returns a tool error', () => {
  const failing = async (name: string, args: Record<string, unknown>) => {
    const { failed, text } = await call(name, args)
    expect(failed).toBe(true)
    return text
  }

  test('for the upload of a missing file, an invalid option, or a missing argument', async () => {
    expect(await failing('upload_file', { path: 'nowhere' })).toContain('nowhere: no such file')
    expect(await failing('upload_text', { text: 'x', ttl: 'soon' })).toContain('--ttl must be a duration')
    expect(await failing('upload_text', {})).toContain('text')
  })

  test('for an invalid link, or a missing folder', async () => {
    expect(await failing('download', { link: 'nonsense', folder: 'x' })).toContain('not a link to an upload')
    const { url } = await sent('upload_text', { text: 'x' })
    expect(await failing('download', { link: url })).toContain('folder is needed')
  })

  test('for a text that is too long, or content that is not text', async () => {
    const { url } = await sent('upload_text', { text: 'x'.repeat(101) })
    const text = await failing('download', { link: url, return_text: true, max_bytes: 100 })
    expect(text).toContain('more than the 100 bytes')
    expect(text).not.toContain('xxx')
    await writeFile(svc.path('bytes'), Buffer.from([0xff, 0xfe, 0x00]))
    const bytes = await sent('upload_file', { path: 'bytes' })
    expect(await failing('download', { link: bytes.url, return_text: true })).toContain('not a text file')
  })

  test('for an existing file, unless overwrite is set', async () => {
    const { url } = await sent('upload_text', { text: 'new', name: 'mine.txt' })
    await mkdir(svc.path('kept'))
    await writeFile(svc.path('kept/mine.txt'), 'mine')
    expect(await failing('download', { link: url, folder: 'kept' })).toContain('already exists')
    expect(await readFile(svc.path('kept/mine.txt'), 'utf8')).toBe('mine')
    await call('download', { link: url, folder: 'kept', overwrite: true })
    expect(await readFile(svc.path('kept/mine.txt'), 'utf8')).toBe('new')
    expect(await readdir(svc.path('kept'))).toEqual(['mine.txt'])
  })
})

describe('nothing outside of the folder', () => {
  let inside: Client
  beforeAll(async () => {
    await mkdir(svc.path('base/below'), { recursive: true })
    await mkdir(svc.path('elsewhere'))
    await writeFile(svc.path('elsewhere/secret'), 'secret')
    await writeFile(svc.path('base/below/own'), 'own')
    await symlink(svc.path('elsewhere/secret'), svc.path('base/link'))
    await symlink(svc.path('elsewhere/secret'), svc.path('base/below/link'))
    await symlink(svc.path('elsewhere'), svc.path('base/folder'))
    await symlink(svc.path('elsewhere/later'), svc.path('base/nowhere'))
    inside = await connected('--folder', 'base')
  })
  afterAll(() => inside.close())
  const outside = ['../elsewhere/secret', 'link', 'folder/secret', 'below/../../elsewhere/secret']

  test('is sent', async () => {
    expect(await call('upload_file', { path: 'below/own' }, inside)).toMatchObject({ failed: false })
    for (const path of [...outside, svc.path('elsewhere/secret'), '/etc/passwd'])
      expect(await call('upload_file', { path }, inside)).toMatchObject({
        failed: true,
        text: expect.stringMatching(/outside|leads nowhere/) as string,
      })
    expect(await call('upload_files', { paths: ['below/own', 'link'] }, inside)).toMatchObject({
      failed: true,
    })
    // A link in a folder that is sent is left out.
    const { text } = await call('upload_files', { paths: ['below'] }, inside)
    expect(JSON.parse(text)).toMatchObject({ files: [{ name: expect.stringMatching(/own$/) as string }] })
    const recipients = [svc.path('elsewhere/secret')]
    expect(await call('upload_text', { text: 'x', recipients }, inside)).toMatchObject({
      failed: true,
      text: expect.stringContaining('outside') as string,
    })
  })

  test('is written', async () => {
    const { url } = await sent('upload_text', { text: 'new', name: 'secret' })
    expect(await call('download', { link: url, folder: 'got/deep' }, inside)).toMatchObject({ failed: false })
    expect(await readFile(svc.path('base/got/deep/secret'), 'utf8')).toBe('new')
    for (const folder of [
      '..',
      '../elsewhere',
      'folder',
      'folder/new',
      'nowhere',
      svc.path('elsewhere'),
      '/tmp',
    ])
      expect(await call('download', { link: url, folder }, inside)).toMatchObject({ failed: true })
    expect(await readdir(svc.path('elsewhere'))).toEqual(['secret'])
    expect(await readFile(svc.path('elsewhere/secret'), 'utf8')).toBe('secret')
  })

  test('and no file is replaced unless that is granted', async () => {
    const { url } = await sent('upload_text', { text: 'new', name: 'own' })
    const refused = await call('download', { link: url, folder: 'below', overwrite: true }, inside)
    expect(refused).toEqual({ failed: true, text: expect.stringContaining('--overwrite') as string })
    expect(await readFile(svc.path('base/below/own'), 'utf8')).toBe('own')
    expect(JSON.parse((await call('server_info', {}, inside)).text)).toMatchObject({ mayOverwrite: false })
  })

  test('is fetched from servers other than Svc', async () => {
    const link = `${server.url}/config`
    expect(await call('download', { link, return_text: true })).toMatchObject({
      failed: true,
      text: expect.stringContaining('not a link to an upload') as string,
    })
  })
})

test('a host that wants progress gets it', async () => {
  await writeFile(svc.path('big'), Buffer.alloc(5_000_000, 'x'))
  const seen: number[] = []
  const onprogress = ({ progress, total }: { progress: number; total?: number | undefined }) => {
    expect(total).toBe(5_000_000)
    seen.push(progress)
  }
  await client.callTool({ name: 'upload_file', arguments: { path: 'big' } }, undefined, { onprogress })
  expect(seen.at(-1)).toBe(5_000_000)
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
})

test('a cancelled upload of a large file is removed, and none stays unfinished', async () => {
  await writeFile(svc.path('large'), Buffer.alloc(5_000_000, 'y'))
  proxy.fail({ kind: 'stall' }, { when: /^(?:PATCH|POST) .*tus/, times: 2 })
  const cancelling = new AbortController()
  const before = proxy.requests.length
  const calling = client.callTool({ name: 'upload_file', arguments: { path: 'large' } }, undefined, {
    signal: cancelling.signal,
  })
  calling.catch(() => undefined)
  const id = await until(
    'a file is on its way',
    () => proxy.requests.slice(before).flatMap((line) => /tus\/(\w{16})/.exec(line)?.[1] ?? [])[0],
  )
  cancelling.abort()
  await until('the upload is removed', () =>
    server.client.upload(id).then(
      () => false,
      () => true,
    ),
  )
  await until('nothing is unfinished', async () =>
    (await readdir(svc.path('.local/state/svc/unfinished')).catch(() => [])).length === 0 ? true : undefined,
  )
})

test('a cancelled call or a host that disconnects leaves no upload behind', async () => {
  proxy.fail({ kind: 'stall' }, { when: /^POST \/file/, times: 2 })
  const uploadRemoved = (id: string) =>
    until('the upload is removed', () =>
      server.client.upload(id).then(
        () => false,
        () => true,
      ),
    )
  const nextUploadId = async () => {
    const before = proxy.requests.length
    return until(
      'a file is on its way',
      () =>
        /^POST \/file\/(\w+)/.exec(
          proxy.requests.slice(before).find((line) => line.startsWith('POST /file')) ?? '',
        )?.[1],
    )
  }
  const cancelling = new AbortController()
  const first = nextUploadId()
  const calling = client.callTool({ name: 'upload_text', arguments: { text: 'x' } }, undefined, {
    signal: cancelling.signal,
  })
  calling.catch(() => undefined)
  const cancelled = await first
  cancelling.abort()
  await uploadRemoved(cancelled)

  const other = await connected('--server', proxy.url)
  const second = nextUploadId()
  other.callTool({ name: 'upload_text', arguments: { text: 'x' } }).catch(() => undefined)
  const left = await second
  await other.close()
  await uploadRemoved(left)
})

test('standard output contains nothing but the protocol', () => {
  expect(disturbances).toEqual([])
})
