import { readdir, readFile, writeFile, mkdir } from 'node:fs/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { installSvc, type Svc } from '../support/svc.ts'

let server: Svcd
let proxy: FaultyProxy
let svc: Svc
let client: Client
const disturbances: string[] = []

/** A host of tools that starts svc as people configure it. */
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
  client = await connected()
})
afterAll(async () => {
  await client.close()
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close(), proxy.close()])
})

async function call(name: string, given: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: given })
  const texts = (content as readonly { readonly text: string }[]).map(({ text }) => text)
  return { failed: isError === true, text: texts.join('\n') }
}

interface Sent {
  readonly id: string
  readonly url: string
  readonly files: readonly { readonly name: string; readonly url: string }[]
}

async function sent(name: string, given: Record<string, unknown>): Promise<Sent> {
  const { failed, text } = await call(name, given)
  if (failed) throw new Error(text)
  return JSON.parse(text) as Sent
}

test('five tools are offered, each with what it takes', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'download',
    'server_info',
    'upload_file',
    'upload_files',
    'upload_text',
  ])
  for (const { description, inputSchema } of tools) {
    expect(description).toMatch(/\.$/)
    expect(inputSchema.type).toBe('object')
  }
})

test('a text goes up, and comes back as a text only when that is asked for', async () => {
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
  expect(JSON.parse(written.text)).toMatchObject([{ status: 'downloaded', path: svc.path('got/a.txt') }])
  expect(written.text).not.toContain('grüße')
  expect(await readFile(svc.path('got/a.txt'), 'utf8')).toBe('grüße\n')
})

test('files and folders go up by their paths, and no token comes with the answer', async () => {
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

test('a text is encrypted before it goes up, with a key in its link or for somebody with another', async () => {
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

test('the server is told about', async () => {
  const { text } = await call('server_info')
  expect(JSON.parse(text)).toMatchObject({
    server: proxy.url,
    loggedIn: false,
    limits: { maxFilePerUpload: 1000 },
    features: { stream: 'disabled', one_shot: 'enabled' },
  })
})

describe('what cannot be done is told as a failure of the tool', () => {
  const failing = async (name: string, given: Record<string, unknown>) => {
    const { failed, text } = await call(name, given)
    expect(failed).toBe(true)
    return text
  }

  test('an upload of what is not there, or what the server refuses', async () => {
    expect(await failing('upload_file', { path: 'nowhere' })).toContain('nowhere: no such file')
    expect(await failing('upload_text', { text: 'x', ttl: 'soon' })).toContain('--ttl must be a duration')
    expect(await failing('upload_text', {})).toContain('text')
  })

  test('a link that leads nowhere, or nothing to write to', async () => {
    expect(await failing('download', { link: 'nonsense', folder: 'x' })).toContain('not a link to an upload')
    const { url } = await sent('upload_text', { text: 'x' })
    expect(await failing('download', { link: url })).toContain('folder is needed')
  })

  test('a text that is too long, and bytes that are none', async () => {
    const { url } = await sent('upload_text', { text: 'x'.repeat(101) })
    const text = await failing('download', { link: url, return_text: true, max_bytes: 100 })
    expect(text).toContain('more than the 100 bytes')
    expect(text).not.toContain('xxx')
    await writeFile(svc.path('bytes'), Buffer.from([0xff, 0xfe, 0x00]))
    const bytes = await sent('upload_file', { path: 'bytes' })
    expect(await failing('download', { link: bytes.url, return_text: true })).toContain('not a text file')
  })

  test('a file that is there: it is replaced only where that is asked for', async () => {
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

test('a call that is cancelled leaves no upload behind, nor does a host that goes away', async () => {
  proxy.fail({ kind: 'stall' }, { when: /^POST \/file/, times: 2 })
  const gone = (id: string) =>
    until('the upload is removed', () =>
      server.client.upload(id).then(
        () => false,
        () => true,
      ),
    )
  const begun = async () => {
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
  const first = begun()
  const calling = client.callTool({ name: 'upload_text', arguments: { text: 'x' } }, undefined, {
    signal: cancelling.signal,
  })
  calling.catch(() => undefined)
  const cancelled = await first
  cancelling.abort()
  await gone(cancelled)

  const other = await connected('--server', proxy.url)
  const second = begun()
  other.callTool({ name: 'upload_text', arguments: { text: 'x' } }).catch(() => undefined)
  const left = await second
  await other.close()
  await gone(left)
})

test('nothing but the protocol was ever written to standard output', () => {
  expect(disturbances).toEqual([])
})
