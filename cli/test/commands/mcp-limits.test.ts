import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { connectHost, type McpHost } from '../support/mcp-host.ts'
import { installSvc, type Svc } from '../support/svc.ts'

/** What a program with a language model may reach, and how its calls end. */
let server: Svcd
let proxy: FaultyProxy
let svc: Svc
let host: McpHost

beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
  proxy = await startFaultyProxy(server.url)
  svc = await installSvc(proxy.url)
  host = await connectHost(svc, proxy.url)
})
afterAll(async () => {
  await host.client.close()
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close(), proxy.close()])
})

describe('nothing outside of the folder', () => {
  let inside: McpHost
  beforeAll(async () => {
    await mkdir(svc.path('base/below'), { recursive: true })
    await mkdir(svc.path('elsewhere'))
    await writeFile(svc.path('elsewhere/secret'), 'secret')
    await writeFile(svc.path('base/below/own'), 'own')
    await symlink(svc.path('elsewhere/secret'), svc.path('base/link'))
    await symlink(svc.path('elsewhere/secret'), svc.path('base/below/link'))
    await symlink(svc.path('elsewhere'), svc.path('base/folder'))
    await symlink(svc.path('elsewhere/later'), svc.path('base/nowhere'))
    inside = await connectHost(svc, proxy.url, '--folder', 'base')
  })
  afterAll(() => inside.client.close())
  const outside = ['../elsewhere/secret', 'link', 'folder/secret', 'below/../../elsewhere/secret']

  test('is sent', async () => {
    expect(await inside.call('upload_file', { path: 'below/own' })).toMatchObject({ failed: false })
    for (const path of [...outside, svc.path('elsewhere/secret'), '/etc/passwd'])
      expect(await inside.call('upload_file', { path })).toMatchObject({
        failed: true,
        text: expect.stringMatching(/outside|leads nowhere/) as string,
      })
    expect(await inside.call('upload_files', { paths: ['below/own', 'link'] })).toMatchObject({
      failed: true,
    })
    // A link in a folder that is sent is left out.
    const { text } = await inside.call('upload_files', { paths: ['below'] })
    expect(JSON.parse(text)).toMatchObject({ files: [{ name: expect.stringMatching(/own$/) as string }] })
    const recipients = [svc.path('elsewhere/secret')]
    expect(await inside.call('upload_text', { text: 'x', recipients })).toMatchObject({
      failed: true,
      text: expect.stringContaining('outside') as string,
    })
  })

  test('is written', async () => {
    const { url } = await host.sent('upload_text', { text: 'new', name: 'secret' })
    expect(await inside.call('download', { link: url, folder: 'got/deep' })).toMatchObject({ failed: false })
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
      expect(await inside.call('download', { link: url, folder })).toMatchObject({ failed: true })
    expect(await readdir(svc.path('elsewhere'))).toEqual(['secret'])
    expect(await readFile(svc.path('elsewhere/secret'), 'utf8')).toBe('secret')
  })

  test('and no file is replaced unless that is granted', async () => {
    const { url } = await host.sent('upload_text', { text: 'new', name: 'own' })
    const refused = await inside.call('download', { link: url, folder: 'below', overwrite: true })
    expect(refused).toEqual({ failed: true, text: expect.stringContaining('--overwrite') as string })
    expect(await readFile(svc.path('base/below/own'), 'utf8')).toBe('own')
    expect(JSON.parse((await inside.call('server_info', {})).text)).toMatchObject({ mayOverwrite: false })
  })

  test('is fetched from servers other than Svc', async () => {
    const link = `${server.url}/config`
    expect(await host.call('download', { link, return_text: true })).toMatchObject({
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
  await host.client.callTool({ name: 'upload_file', arguments: { path: 'big' } }, undefined, { onprogress })
  expect(seen.at(-1)).toBe(5_000_000)
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
})

test('a cancelled upload of a large file is removed, and none stays unfinished', async () => {
  await writeFile(svc.path('large'), Buffer.alloc(5_000_000, 'y'))
  proxy.fail({ kind: 'stall' }, { when: /^(?:PATCH|POST) .*tus/, times: 2 })
  const cancelling = new AbortController()
  const before = proxy.requests.length
  const calling = host.client.callTool({ name: 'upload_file', arguments: { path: 'large' } }, undefined, {
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

test('an unknown argument is an error', async () => {
  const { failed, text } = await host.call('upload_text', { text: 'x', oneshot: true })
  expect({ failed, text }).toEqual({ failed: true, text: expect.stringContaining('oneshot') as string })
  expect(await host.call('download', { link: 'x', nothing: 1 })).toMatchObject({
    failed: true,
    text: expect.stringContaining('nothing') as string,
  })
})

test('a line that is not JSON, or no message, is answered as JSON-RPC says', async () => {
  const { output } = await svc.run(['mcp'], { input: 'nonsense\n{"no":"message"}\n' })
  const answers = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  expect(answers).toEqual([
    { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } },
    { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Invalid Request' } },
  ])
})
