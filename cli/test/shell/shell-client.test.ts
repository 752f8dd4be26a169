import { randomBytes } from 'node:crypto'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { until } from '../../../server/test/support/until.ts'
import { temporaryDirectory } from '../../../server/test/support/machine/temporary-directory.ts'

const script = resolve(import.meta.dirname, '../../svc.sh')

let server: Svcd
let proxy: FaultyProxy
let directory: string

beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
})
afterAll(async () => {
  server.kill('SIGKILL')
  await server.ended
})
beforeEach(async () => {
  proxy = await startFaultyProxy(server.url)
  directory = await temporaryDirectory()
})
afterEach(() => proxy.close())

describe.each(['dash', 'bash'])('svc.sh in %s', (shell) => {
  const run = async (args: readonly string[], input = '', environment: Record<string, string> = {}) => {
    const env = { PATH: process.env['PATH'] ?? '', SVC_SERVER: proxy.url, ...environment }
    const child = spawn(shell, [script, ...args], { cwd: directory, env })
    let output = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.stdin.on('error', () => undefined).end(input)
    const [status] = (await once(child, 'close')) as [number]
    return { status, output, stderr }
  }
  const uploadOf = (link: string) =>
    server.client.upload(/\/file\/(\w+)\//.exec(link)?.[1] ?? '', {
      credentials: { login: 'ada', password: 'a"b\\c' },
    })

  test('uploads files with options, and prints their links', async () => {
    const name = 'it’s 100% [a] {b} & "more".txt'
    await writeFile(join(directory, name), 'content')
    await writeFile(join(directory, 'empty'), '')
    const { status, output } = await run(['-o', '--removable', '-t', '1h', '--comments=a b&c', name, 'empty'])
    expect(status).toBe(0)
    const [first = '', second = ''] = output.split('\n')
    expect(await uploadOf(first)).toMatchObject({
      oneShot: true,
      removable: true,
      ttl: 3600,
      comments: 'a b&c',
      files: [{ fileName: name, fileSize: 7 }],
    })
    expect((await uploadOf(second)).files).toMatchObject([{ fileName: 'empty', fileSize: 0 }])
  })

  test('uploads a file for a number of downloads', async () => {
    const { output } = await run(['--downloads', '2', '--expires', '1h', '-n', 'a.txt', '-'], 'content')
    expect(await uploadOf(output)).toMatchObject({
      ttl: 3600,
      maxDownloads: 2,
      files: [{ downloadsLeft: 2 }],
    })
  })

  test('uploads standard input under a name, with a password that the process list does not show', async () => {
    const { output } = await run(['-p', 'ada:a"b\\c', '-n', 'dump.sql', '-'], 'select 1')
    expect(await uploadOf(output)).toMatchObject({
      protectedByPassword: true,
      files: [{ fileName: 'dump.sql', fileSize: 8 }],
    })
    const environment = { SVC_PASSWORD: 'ada:a"b\\c' }
    expect(await run(['get', output.trim(), '-'], '', environment)).toMatchObject({ output: 'select 1' })
  })

  test('reports failures in its message and exit status', async () => {
    await writeFile(join(directory, 'good'), 'x')
    expect(await run(['missing'])).toMatchObject({ status: 5, output: '' })
    expect(await run(['good', 'missing'])).toMatchObject({ status: 3 })
    expect(await run(['-t', 'soon', 'good'])).toMatchObject({ status: 1, output: '' })
    expect(await run(['--oneshoot', 'good'])).toMatchObject({ status: 2 })
    expect(await run(['good', '-r', 'github:ada'])).toMatchObject({
      status: 2,
      output: '',
      stderr: expect.stringContaining('does not encrypt') as string,
    })
    expect(await run(['good'], '', { SVC_SERVER: '' })).toMatchObject({ status: 2 })
    await proxy.down()
    expect(await run(['good'])).toMatchObject({ status: 4, output: '' })
  })

  test('downloads a file, resumes after a cut connection, and overwrites nothing', async () => {
    const bytes = randomBytes(3_000_000)
    await writeFile(join(directory, 'a b.bin'), bytes)
    const link = (await run(['a b.bin'])).output.trim()
    await rm(join(directory, 'a b.bin'))
    proxy.fail({ kind: 'cut-response', after: 1_000_000 }, { when: /^GET/, times: 1 })
    expect(await run(['get', link])).toMatchObject({ status: 0, output: 'a b.bin\n' })
    expect((await readFile(join(directory, 'a b.bin'))).equals(bytes)).toBe(true)
    expect(await readdir(directory)).toEqual(['a b.bin'])
    expect(await run(['get', link])).toMatchObject({ status: 5 })
    expect(await run(['get', `${proxy.url}/file/x/y/..%2F..%2Fevil`])).toMatchObject({ status: 1 })
  })

  test('downloads to the given path, with the password from the command line; options may come last', async () => {
    const { output } = await run(['-', '-n', 'safe.txt', '-p', 'ada:a"b\\c', '-t', '1h'], 'safe')
    const link = output.trim()
    expect((await uploadOf(link)).ttl).toBe(3600)
    const rejected = await run(['get', link, '--password=another'])
    expect(rejected).toMatchObject({ status: 1 })
    expect(rejected.stderr).toContain('the upload is protected: use --password or SVC_PASSWORD')
    const taken = await run(['get', link, '-p', 'ada:a"b\\c', '--limit-rate', '1M', '-o', 'new/'])
    expect(taken).toMatchObject({ status: 0, output: 'new/safe.txt\n' })
    const environment = { SVC_PASSWORD: 'ada:a"b\\c' }
    expect(await run(['get', '-o', 'new', link, 'own'], '', environment)).toMatchObject({
      output: 'new/own\n',
    })
    expect(await run(['get', '--output=-', link], '', environment)).toMatchObject({ output: 'safe' })
    expect(await readdir(join(directory, 'new'))).toEqual(['own', 'safe.txt'])
    expect(await run(['get', '--ttl', '1h', link])).toMatchObject({ status: 2 })
    expect(await run(['-p', '-', '-'], 'safe')).toMatchObject({ status: 2, output: '' })
  })

  test('explains how to continue with a link to a page, or to an encrypted file', async () => {
    const link = (await run(['-', '-n', 'sealed'], 'not to be read')).output.trim()
    const id = /\/file\/(\w+)\//.exec(link)?.[1] ?? ''
    const page = await run(['get', `${proxy.url}/#/?id=${id}`])
    expect(page).toMatchObject({ status: 2 })
    expect(page.stderr).toContain(`${proxy.url}/archive/${id}/files.zip`)
    const undecrypted = await run(['get', `${link}#key=some-words`])
    expect(undecrypted).toMatchObject({ status: 0, output: 'sealed\n' })
    expect(undecrypted.stderr).toContain('age --decrypt')
    expect(undecrypted.stderr).not.toContain('some-words')
  })

  test('restarts an interrupted stream from its beginning, without a pause', async () => {
    // Far more than the buffers of the network hold, so that the sender notices the cut.
    const bytes = randomBytes(30_000_000)
    const { id, uploadToken, files } = await server.client.createUpload({
      stream: true,
      files: [{ fileName: 'live' }],
    })
    const [file] = files
    if (file === undefined) throw new Error('nothing was declared')
    const send = () => server.client.sendStream(id, file, new Blob([bytes]), { uploadToken })
    const statusOf = async () => (await server.client.upload(id, { uploadToken })).files[0]?.status
    proxy.fail({ kind: 'cut-response', after: 1_000_000 }, { when: /^GET/, times: 1 })
    const first = expect(send()).rejects.toMatchObject({ code: 'stream_broken' })
    await until('the sender waits', async () => (await statusOf()) === 'uploading')
    const getting = run(['get', `${proxy.url}/stream/${id}/${file.id}/live`])
    await first
    await Promise.all([send(), getting])
    expect(await getting).toMatchObject({ status: 0 })
    expect((await readFile(join(directory, 'live'))).equals(bytes)).toBe(true)
  })

  test('resumes an archive after a cut connection, unless the archive has changed', async () => {
    const { id, uploadToken } = await server.client.createUpload()
    const add = (fileName: string) =>
      server.client.addFile(id, new Blob([randomBytes(3_000_000)]), { fileName, uploadToken })
    const archive = async () => {
      const response = await fetch(`${server.url}/archive/${id}/all.zip`)
      return Buffer.from(await response.arrayBuffer())
    }
    const get = async () => {
      proxy.fail({ kind: 'cut-response', after: 1_000_000 }, { when: /^GET/, times: 1 })
      return run(['get', `${proxy.url}/archive/${id}/all.zip`])
    }
    const file = join(directory, 'all.zip')
    const first = await add('one')
    await add('two')
    expect(await get()).toMatchObject({ status: 0 })
    expect((await readFile(file)).equals(await archive())).toBe(true)
    await rm(file)

    const getting = get()
    await until('a part has come', async () => (await readdir(directory)).length > 0)
    await server.client.removeFile(id, first, { uploadToken })
    expect(await getting).toMatchObject({ status: 0 })
    expect((await readFile(file)).equals(await archive())).toBe(true)
    expect(await readdir(directory)).toEqual(['all.zip'])
  })
})
