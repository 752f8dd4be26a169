import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testWith } from '../../../scripts/tests/needs.ts'
import { startFaultyProxy } from '../../../server/test/support/servers/faulty-proxy.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'

/** Mistakes of users and faults of the environment. */
let server: Svcd
let svc: Svc
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
  svc = await installSvc(server.url)
  for (const name of ['a', 'b', 'c', '-dash.txt']) await writeFile(svc.path(name), `of ${name}`)
  for (const name of ['one', 'two']) {
    await mkdir(svc.path(name))
    await writeFile(svc.path(`${name}/same`), name)
  }
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close()])
})

const bash = (script: string) =>
  promisify(execFile)('bash', ['-c', `svc() { "$NODE" svc.mjs "$@"; }; ${script}`], {
    cwd: svc.directory,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: svc.directory,
      SVC_SERVER: server.url,
      NODE: process.execPath,
      SHELL_CLIENT: join(import.meta.dirname, '../../svc.sh'),
    },
  })

test.each<[name: string, args: readonly string[], words: string]>([
  ['an empty password', ['-p', '', 'a'], 'the password is empty'],
  ['a login without a password', ['-p', 'me:', 'a'], 'the password is empty'],
  ['an unknown command', ['delete', 'a'], 'no file or command named delete'],
  ['a mistyped command', ['lss', 'a'], 'did you mean svc ls?'],
  ['a command with two letters exchanged', ['whomai'], 'did you mean svc whoami?'],
  ['a mistyped option', ['--oneshoot', 'a'], 'did you mean --oneshot?'],
  ['a command with too many arguments', ['ls', 'too', 'much'], 'unexpected: too much'],
  [
    'a negative time to live',
    ['-t', '-5', 'a'],
    '-t needs a value; one that begins with a hyphen is written --ttl=-5',
  ],
  [
    'negative retries',
    ['a', '--retries', '-1'],
    '--retries needs a value; one that begins with a hyphen is written --retries=-1',
  ],
  ['an option without its value', ['a', '--ttl'], '--ttl needs a value (see svc upload --help)'],
  [
    'a file of recipients that is missing',
    ['a', '-R', '/nonexistent'],
    'the keys in /nonexistent cannot be read: no such file',
  ],
  ...[
    'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB',
    'sk-ssh-ed25519@openssh.com',
    'github:ada',
    'https://example.org/ada.keys',
  ].map((key): [string, string[], string] => [
    `a recipient among the files (${key})`,
    ['a', key],
    'to encrypt for it, use --recipient',
  ]),
  ['a recipient before the files of svc upload', ['upload', 'age1key', '-q', 'a'], 'use --recipient'],
  ['a recipient as a file of recipients', ['a', '-R', 'github:ada'], 'github:ada is not a file'],
  ['a recipient for another server', ['a', 'github:ada', '--to', 'put+http://127.0.0.1:9/'], '--recipient'],
  [
    'a private key among the files',
    ['a', `AGE-SECRET-KEY-1${'Q'.repeat(58)}`],
    'a private key of age is not a file',
  ],
  ['a recipient of a folder to watch', ['watch', 'one', 'github:ada'], 'unexpected: github:ada'],
  ['a link among the files', ['http://127.0.0.1:9/#/?id=0123456789abcdef'], 'to download it, use svc get'],
  [
    'a recipient among the files for a request',
    ['send', 'http://127.0.0.1:9/#/request?id=0123456789abcdef', 'a', 'github:ada'],
    'svc send encrypts for the owner of the request',
  ],
  ['a switch of other clients before a file', ['-r', 'a'], 'no files given: -r is --recipient here'],
  [
    'an option of an upload after svc send',
    ['send', '--expires', '7d', '--downloads', '3', 'a'],
    'use svc upload',
  ],
  ['a file instead of the link of a request', ['send', 'a', 'b'], 'use svc upload'],
  [
    'a key of the configuration that is not named',
    ['config', '--unset'],
    'name the key to remove: svc config KEY --unset',
  ],
  ['a file whose name begins with a dash', ['-dash.txt'], 'to use the file, write ./-dash.txt'],
  [
    'a tar archive of two files with equal names',
    ['-a', 'tar', 'one/same', 'two/same'],
    'two files are named same',
  ],
  [
    'a zip archive of two files with equal names',
    ['-a', 'zip', 'one/same', 'two/same'],
    'two files are named same',
  ],
])('%s is rejected, and nothing is sent', async (_case, args, words) => {
  const proxy = await startFaultyProxy(server.url)
  const { status, output, stderr } = await svc.run(args, { environment: { SVC_SERVER: proxy.url } })
  expect({ status, output }).toEqual({ status: 2, output: '' })
  expect(stderr).toContain(words)
  expect(proxy.requests).toEqual([])
  await proxy.close()
})

test('the shell client rejects an empty password', async () => {
  const rejected = bash(`sh "$SHELL_CLIENT" -p '' a`)
  await expect(rejected).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is empty') as string,
  })
})

test('a name of the address book among the files is rejected, and nothing is sent', async () => {
  const key = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'
  await svc.run(['keys', 'add', 'ada', key])
  const { status, output, stderr } = await svc.run(['a', 'ada'])
  expect({ status, output }).toEqual({ status: 2, output: '' })
  expect(stderr).toContain('ada is a name of svc keys and not a file: to encrypt for it, use --recipient')
  await svc.run(['keys', 'rm', 'ada'])
})

test('-r encrypts for a recipient', async () => {
  const key = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'
  const { id } = (await svc.json(['a', '-r', key])) as { readonly id: string }
  expect(await server.client.upload(id)).toMatchObject({ e2ee: 'age' })
})

test('--expires is --ttl', async () => {
  expect(await svc.json(['a', '--expires', '1h', '--downloads', '3'])).toMatchObject({ ttl: 3600 })
  expect(await svc.json(['a', '--expires=2h'])).toMatchObject({ ttl: 7200 })
})

// The size that the system reports for this file differs from its content.
test.each(['tar', 'tar.gz', 'tar.zst', 'zip'])(
  'a file that changes while it is packed into a %s is reported in one line',
  async (format) => {
    const { status, stderr } = await svc.run(['-q', '-a', format, '/proc/version', 'a'])
    expect(stderr).toContain('/proc/version changed during the upload')
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(status).toBe(5)
  },
)

test.each(['tar', 'tar.gz', 'tar.zst', 'zip'])(
  'Ctrl-C ends the upload of a %s without a stack trace',
  async (format) => {
    await writeFile(svc.path('large'), Buffer.alloc(8_000_000, 'not quite random'))
    const proxy = await startFaultyProxy(server.url)
    const args = ['-a', format, '--limit-rate', '1k', 'large', 'a']
    const running = svc.start(args, { environment: { SVC_SERVER: proxy.url } })
    await proxy.seen(/^(?:POST|PUT|PATCH) \/(?:file|tus|resumable)/)
    running.child.kill('SIGINT')
    const { status, stderr } = await running.ended
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(status).toBe(130)
    await proxy.close()
  },
)

test('a closed output pipe does not stop the transfer', async () => {
  const { stdout } = await bash('svc a b c 2>&1 | true; echo ${PIPESTATUS[0]}')
  expect(stdout).toBe('0\n')
  const [newest] = (await svc.json(['ls'])) as readonly { readonly id: string }[]
  const { files } = await server.client.upload(newest?.id ?? '')
  expect(files.map(({ status }) => status)).toEqual(['uploaded', 'uploaded', 'uploaded'])
})

test('a full disk at standard output is reported in one line', async () => {
  await expect(bash('svc a > /dev/full')).rejects.toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/^svc: standard output: the disk is full$/m) as string,
  })
})

for (const [format, unpack, needed] of [
  ['tar.gz', 'tar xz', []],
  ['zip', 'cat > x.zip && unzip -q x.zip', ['unzip']],
] as const)
  testWith(needed, `a ${format} preserves read and execute permissions`, async () => {
    await writeFile(svc.path('run.sh'), 'true', { mode: 0o755 })
    await writeFile(svc.path('key'), 'secret', { mode: 0o600 })
    const folder = `unpacked-${format}`
    await bash(
      `mkdir ${folder}; link=$(svc -q -a ${format} run.sh key); svc get "$link" -o - | (cd ${folder}; ${unpack})`,
    )
    const modes = await Promise.all(['run.sh', 'key'].map((name) => stat(svc.path(`${folder}/${name}`))))
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o755, 0o600])
  })

test('a wrong password and a missing one are reported as such', async () => {
  const upload = (await svc.json(['-p', 'me:secret', 'a'])) as { readonly id: string }
  // With another home: the installation that created the upload needs no password.
  const environment = { HOME: svc.path('else') }
  const wrong = await svc.run(['get', upload.id, '-p', 'secret', '-o', 'protected'], { environment })
  expect(wrong.stderr).toContain('wrong password for the upload, or its login is not svc')
  const none = await svc.run(['get', upload.id, '-o', 'protected'], { environment })
  expect(none.stderr).toContain('the upload is protected')
})

test('the new address of a moved server is reported', async () => {
  const moved = createServer((_request, response) => {
    response.writeHead(302, { location: 'https://svc.example/upload' }).end()
  }).listen(0, '127.0.0.1')
  await once(moved, 'listening')
  const url = `http://127.0.0.1:${String((moved.address() as AddressInfo).port)}`
  const { stderr } = await svc.run(['a'], { environment: { SVC_SERVER: url } })
  expect(stderr).toContain('the server is reached at https://svc.example/upload now')
  const secure = await svc.run(['a'], { environment: { SVC_SERVER: server.url.replace('http:', 'https:') } })
  expect(secure.stderr).toContain('its address may begin with http://')
  moved.close()
})

test('a time to live that the server shortens is reported', async () => {
  const { status, stderr } = await svc.run(['-t', '400d', 'a'])
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: expect.stringContaining('the server limited --ttl to 4w 2d') as string,
  })
})

test('a time to live of 0 is the default of the server, which is reported', async () => {
  expect(await svc.run(['-t', '0', 'a'])).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('--ttl 0 is the default of the server: 4w 2d') as string,
  })
})

test('an alias without an account names the command that signs in', async () => {
  const { status, stderr } = await svc.run(['--alias', 'holiday', 'a'])
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('svc login') as string })
})

test('a process substitution of the shell, <(command), is uploaded', async () => {
  const { stdout } = await bash('svc get "$(svc -q -n made <(echo hello))" -o -')
  expect(stdout).toBe('hello\n')
})

test('a download does not replace a pipe or a device', async () => {
  await promisify(execFile)('mkfifo', [svc.path('pipe')])
  const { output } = await svc.run(['-q', 'a'])
  const { status, stderr } = await svc.run(['get', '-y', '-o', 'pipe', output.trim()])
  expect({ status, stderr }).toEqual({
    status: 5,
    stderr: expect.stringContaining('is not a file') as string,
  })
  expect((await stat(svc.path('pipe'))).isFIFO()).toBe(true)
})

test('the command help is the same as --help', async () => {
  const [help, helpCommand] = await Promise.all([svc.run(['--help']), svc.run(['help'])])
  expect(helpCommand).toEqual(help)
  expect(await svc.run(['help', 'get'])).toEqual(await svc.run(['get', '--help']))
  expect(await svc.run(['help', 'gte'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('did you mean get?') as string,
  })
})
