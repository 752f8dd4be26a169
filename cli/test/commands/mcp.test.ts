import { readdir, readFile, writeFile, mkdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { connectHost, type McpHost } from '../support/mcp-host.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let server: Svcd
let proxy: FaultyProxy
let svc: Svc

let host: McpHost

beforeAll(async () => {
  server = await startSvcd(await emptyDirectory(), { FEATURE_STREAM: 'disabled' })
  proxy = await startFaultyProxy(server.url)
  svc = await installSvc(proxy.url)
  host = await connectHost(svc, proxy.url, '--overwrite')
})
afterAll(async () => {
  await host.client.close()
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close(), proxy.close()])
})

const call: McpHost['call'] = (...args) => host.call(...args)
const sent: McpHost['sent'] = (...args) => host.sent(...args)

test('the server offers five tools with descriptions and input schemas', async () => {
  const { tools } = await host.client.listTools()
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
  const uploaded = await sent('upload_file', { path: '-o', name: 'other.txt' })
  expect(uploaded.files.map(({ name }) => name)).toEqual(['other.txt'])
  expect(JSON.stringify(uploaded)).not.toContain('oken')
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
  const calling = host.client.callTool({ name: 'upload_text', arguments: { text: 'x' } }, undefined, {
    signal: cancelling.signal,
  })
  calling.catch(() => undefined)
  const cancelled = await first
  cancelling.abort()
  await uploadRemoved(cancelled)

  const { client: other } = await connectHost(svc, proxy.url, '--server', proxy.url)
  const second = nextUploadId()
  other.callTool({ name: 'upload_text', arguments: { text: 'x' } }).catch(() => undefined)
  const left = await second
  await other.close()
  await uploadRemoved(left)
})

test('standard output contains nothing but the protocol', () => {
  expect(host.disturbances).toEqual([])
})
