import { randomBytes } from 'node:crypto'
import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, truncate, writeFile, appendFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { startFaultyProxy, type FaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { until } from '../../../server/test/support/until.ts'
import { installSvc, type Svc } from '../support/svc.ts'
import { svcAtTerminal } from '../support/terminal.ts'

let server: Svcd
let svc: Svc

beforeAll(async () => {
  server = await startSvcd(await emptyDirectory(), { MAX_FILE_SIZE_STR: '200MB' })
  svc = await installSvc(server.url)
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close()])
})

let watched: FaultyProxy

beforeEach(async () => {
  watched = await startFaultyProxy(server.url)
})
afterEach(() => watched.close())

/** Starts svc behind a proxy that records its requests. */
const startThroughProxy = (args: readonly string[]) => ({
  proxy: watched,
  running: svc.start(args, { environment: { SVC_SERVER: watched.url } }),
})

async function expectNoUpload(proxy: FaultyProxy): Promise<void> {
  const path = proxy.requests.find((request) => request.startsWith('POST /file/')) ?? ''
  const [, id = ''] = /^POST \/file\/([^/]+)/.exec(path) ?? []
  await expect(server.client.upload(id)).rejects.toMatchObject({ status: 404 })
}

const idOf = (output: string) => /(?:id=|\/(?:file|stream)\/)([0-9A-Za-z]{16})/.exec(output)?.[1] ?? ''
const uploadOf = (output: string) => server.client.upload(idOf(output))
const sh = promisify(execFile)

test('a file is uploaded, and the printed command line downloads it with curl', async () => {
  const content = randomBytes(300_000)
  await writeFile(svc.path("it's $(mine).bin"), content)
  const { status, screen } = await svcAtTerminal(svc, ["it's $(mine).bin", '-t', '1h', '-o', '--removable'])
  expect(status).toBe(0)
  const [output = '', page = '', curl = ''] = /(http\S+)\r\n\r\n(curl .*)\r\n$/.exec(screen) ?? []
  expect(page).toBe(`${server.url}/#/?id=${idOf(output)}`)
  expect(await uploadOf(output)).toMatchObject({ ttl: 3600, oneShot: true, removable: true })
  expect(curl).toMatch(/^curl -f -o /)
  const { stdout } = await sh(
    'sh',
    ['-c', `${curl.replace('curl ', 'curl -s ')} && md5sum < "it's \\$(mine).bin"`],
    {
      cwd: svc.directory,
    },
  )
  const { md5 } = (await uploadOf(output)).files[0] ?? {}
  expect(stdout.slice(0, 32)).toBe(md5)
})

test('the command lines of files with equal names do not overwrite each other', async () => {
  const names = ['here/same.txt', 'there/same.txt']
  for (const name of names) {
    await mkdir(svc.path(name.split('/')[0] ?? ''))
    await writeFile(svc.path(name), name)
  }
  const { screen } = await svcAtTerminal(svc, [...names, '--removable'])
  await mkdir(svc.path('pasted'))
  const commands = screen.slice(screen.indexOf('curl')).replaceAll('\r', '')
  await sh('sh', ['-c', commands], { cwd: svc.path('pasted') })
  expect(await readFile(svc.path('pasted/same.txt'), 'utf8')).toBe('here/same.txt')
  expect(await readFile(svc.path('pasted/same (2).txt'), 'utf8')).toBe('there/same.txt')
})

test('--quiet prints the links of the files and nothing else', async () => {
  await writeFile(svc.path('one'), '1')
  await writeFile(svc.path('two'), '')
  const { output, stderr } = await svc.run(['-q', 'one', 'two'])
  const { id, files } = await uploadOf(output)
  expect(output).toBe(files.map((file) => `${server.url}/file/${id}/${file.id}/${file.fileName}\n`).join(''))
  expect(stderr).toBe('')
})

test('standard input is uploaded without a known length, under the given name', async () => {
  const input = randomBytes(3_000_000)
  const { output } = await svc.run(['-', '--name', 'dump.sql'], { input })
  expect((await uploadOf(output)).files).toMatchObject([{ fileName: 'dump.sql', fileSize: 3_000_000 }])
  const piped = await svc.run([], { input: 'hello' })
  expect((await uploadOf(piped.output)).files).toMatchObject([{ fileName: 'stdin', fileSize: 5 }])
})

test('a folder is uploaded with its subfolders; symbolic links that lead out of it are skipped and reported', async () => {
  await mkdir(svc.path('tree/deep'), { recursive: true })
  await mkdir(svc.path('tree/hollow'))
  await writeFile(svc.path('tree/a'), 'a')
  await writeFile(svc.path('tree/deep/b'), 'b')
  await symlink('/etc/passwd', svc.path('tree/out'))
  await symlink('deep/b', svc.path('tree/in'))
  await symlink('..', svc.path('tree/deep/circle'))
  const { status, output, stderr } = await svc.run(['tree'])
  expect(status).toBe(0)
  expect((await uploadOf(output)).files.map(({ fileName }) => fileName)).toEqual([
    'tree/a',
    'tree/deep/b',
    'tree/in',
  ])
  expect(stderr).toContain('tree/out: link to outside the folder skipped')
  expect(stderr).toContain('tree/deep/circle: link to a folder skipped')
  expect(stderr).toContain('tree/hollow: empty folder skipped')
})

describe('a file that cannot be uploaded', () => {
  test('is reported; the exit status is 3 if other files succeed, else 5', async () => {
    await writeFile(svc.path('good'), 'good')
    const partly = await svc.run(['good', 'missing'])
    expect(partly).toMatchObject({ status: 3 })
    expect(partly.stderr).toContain('missing: no such file')
    expect((await uploadOf(partly.output)).files).toHaveLength(1)
    expect(await svc.run(['missing'])).toMatchObject({ status: 5, output: '' })
  })

  test('is rejected with the message of the server, and no upload remains', async () => {
    await writeFile(svc.path('big'), '')
    await truncate(svc.path('big'), 200_000_001)
    const { status, output, stderr } = await svc.run(['big'])
    expect({ status, output }).toEqual({ status: 1, output: '' })
    expect(stderr).toContain('file too big')
    const piped = await svc.run(['-'], { input: new Uint8Array(200_000_001) })
    expect(piped).toMatchObject({ status: 1, output: '' })
    expect(piped.stderr).toContain('file too big')
  })

  test('fails when it changes during the upload, and no upload remains', async () => {
    await writeFile(svc.path('log'), randomBytes(600_000))
    const { proxy, running } = startThroughProxy(['log', '--limit-rate', '400k'])
    await proxy.seen(/^POST \/file/)
    await appendFile(svc.path('log'), 'one more line\n')
    const { status, stderr } = await running.ended
    expect(status).toBe(5)
    expect(stderr).toMatch(/log changed during the upload/)
    await expectNoUpload(proxy)
  })
})

test('Ctrl-C leaves no upload behind that cannot be resumed', async () => {
  await writeFile(svc.path('slow'), randomBytes(1_000_000))
  const { proxy, running } = startThroughProxy(['-a', 'tar', 'slow', '--limit-rate', '100k'])
  await proxy.seen(/^POST \/file/)
  running.child.kill('SIGINT')
  const { status, output, stderr } = await running.ended
  expect({ status, output }).toEqual({ status: 130, output: '' })
  expect(stderr).toContain('interrupted')
  await expectNoUpload(proxy)
})

test('the command line for a protected upload has the login but not the password', async () => {
  await writeFile(svc.path('safe'), 'x')
  const { screen } = await svcAtTerminal(svc, ['safe', '-p', 'ada:secret word'])
  expect(screen).toContain('curl -f -u ada -o safe ')
  expect(screen).not.toContain('secret word')
})

test('a stream prints its link before a recipient connects, and ends after the download', async () => {
  await writeFile(svc.path('live'), randomBytes(2_000_000))
  const running = svc.start(['-S', '-q', 'live'])
  const link = await until('the link is printed', () => /\S+/.exec(running.output())?.[0])
  const response = await until('the sender is there', async () => {
    const attempt = await fetch(link)
    return attempt.ok ? attempt : undefined
  })
  expect((await response.arrayBuffer()).byteLength).toBe(2_000_000)
  expect(await running.ended).toMatchObject({ status: 0 })
})

test('the sender of a stream sees what it waits for', async () => {
  const running = svc.start(['-S', '-'], { input: 'live' })
  await until('it reports that it waits', () => running.stderr().includes('Waiting for the recipient'))
  running.child.kill('SIGINT')
  expect(await running.ended).toMatchObject({ status: 130 })
})
