import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { generateKeyPair } from '@svc/encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'
import { svcAtTerminal } from '../support/terminal.ts'

/** What the options of `svc request` and `svc send` accept and refuse. */
let server: Svcd
let owner: Svc
let sender: Svc
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory(), { MAX_TTL_STR: '30d' })
  owner = await installSvc(server.url)
  sender = await installSvc()
  for (const name of ['a.pdf', 'a.txt']) await writeFile(sender.path(name), `of ${name}`)
  await writeFile(sender.path('350.bin'), Buffer.alloc(350))
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, owner.close(), sender.close()])
})

const newRequest = async (...options: readonly string[]) =>
  (await owner.json(['request', 'new', 'Photos', ...options])) as {
    readonly id: string
    readonly url: string
    readonly protectedByPassword: boolean
  }

/** The names of the files that a request has received. */
async function receivedNames(id: string): Promise<readonly string[]> {
  await owner.run(['request', 'get', id, '-o', id])
  const folders = await readdir(owner.path(id)).catch(() => [])
  const names = await Promise.all(folders.map((folder) => readdir(owner.path(`${id}/${folder}`))))
  return names.flat()
}

test('svc send -y sends the files that are there, and its status says that one is missing', async () => {
  const { id, url } = await newRequest()
  const sent = await sender.run(['send', url, 'a.pdf', 'nofile', '-y', '-q'])
  expect(sent).toMatchObject({ status: 3, stderr: 'nofile: no such file\n' })
  expect(await receivedNames(id)).toEqual(['a.pdf'])
  const other = (await sender.json(['send', (await newRequest()).url, 'a.pdf', 'nofile', '-y'])) as object
  expect(other).toMatchObject({ notSent: [{ path: 'nofile', reason: 'no such file' }] })
})

test('svc send -y leaves out what the request refuses', async () => {
  const { id, url } = await newRequest('--extensions', 'pdf,jpg')
  const sent = await sender.run(['send', url, 'a.pdf', 'a.txt', '-y'])
  expect(sent).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('a.txt: the request accepts only .pdf, .jpg') as string,
  })
  expect(await receivedNames(id)).toEqual(['a.pdf'])
  const none = await sender.run(['send', url, 'a.txt', '-y'])
  expect(none).toMatchObject({ status: 2, stderr: expect.stringContaining('a.txt: the request') as string })
})

test('the limit of a file counts its encrypted bytes, before it is sent', async () => {
  const { id, url } = await newRequest('--max-file-size', '400')
  const sent = await sender.run(['send', url, '350.bin'])
  expect(sent).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(
      /350\.bin: the request accepts files up to 400 B.*\d+ B encrypted/,
    ) as string,
  })
  expect(await receivedNames(id)).toEqual([])
  const { url: plain } = await newRequest('--max-file-size', '400', '--no-encrypt')
  expect(await sender.run(['send', plain, '350.bin'])).toMatchObject({ status: 0 })
})

test('svc request new -p - asks for the password', async () => {
  const { status, stderr } = await owner.run(['request', 'new', 'T', '-p', '-'])
  expect([status, stderr]).toEqual([2, expect.stringContaining('no terminal to ask for a password')])
  const answers = [['Password: ', 'secret word\n']] as const
  const { screen } = await svcAtTerminal(owner, ['request', 'new', 'T', '-p', '-'], { answers })
  const [url = ''] = /http\S+/.exec(screen) ?? []
  const environment = { SVC_PASSWORD: 'secret word' }
  expect(await sender.run(['send', url, 'a.pdf'], { environment })).toMatchObject({ status: 0 })
})

test('svc send -p - asks for the password', async () => {
  const { url } = await newRequest('--password', 'secret word')
  const answers = [['Password: ', 'secret word\n']] as const
  const { status, screen } = await svcAtTerminal(sender, ['send', url, 'a.pdf', '-p', '-'], { answers })
  expect(status).toBe(0)
  expect(screen).not.toContain('wrong password')
})

test('without its key, svc names the option and the file with the key', async () => {
  const { id, url } = await newRequest()
  await sender.run(['send', url, 'a.pdf'])
  const other = await installSvc(server.url)
  try {
    await mkdir(other.path('.local/state/svc'), { recursive: true })
    await copyFile(
      owner.path('.local/state/svc/requests.jsonl'),
      other.path('.local/state/svc/requests.jsonl'),
    )
    const advice = new RegExp(`--identity FILE.*requests/${id}\\.txt`)
    const without = await other.run(['request', 'get', id])
    expect([without.status, without.stderr]).toEqual([6, expect.stringMatching(advice)])
    expect(without.stderr).not.toMatch(/passphrase|#key=|--no-decrypt/i)
    const { identity } = await generateKeyPair()
    await writeFile(other.path('keys.txt'), `${identity}\n`, { mode: 0o600 })
    const wrong = await other.run(['request', 'get', id, '-i', 'keys.txt'])
    expect([wrong.status, wrong.stderr]).toEqual([6, expect.stringMatching(advice)])
    const key = owner.path(`.config/svc/requests/${id}.txt`)
    expect(await other.run(['request', 'get', id, '-i', key])).toMatchObject({ status: 0 })
  } finally {
    await other.close()
  }
})

test.each<[words: readonly string[], reason: string]>([
  [['close', 'ID', '--max-files', '2'], '--max-files belongs to svc request new'],
  [['ls', '--ttl', '3d'], '--ttl belongs to svc request new'],
  [['ls', '-t', '3d'], '--ttl belongs to svc request new'],
  [['new', 'T', '-o', 'x'], '--output belongs to svc request get'],
  [['new', 'T', '-w'], '--watch belongs to svc request get'],
  [['new', 'T', '--key'], '--key belongs to svc request show'],
  [['new', 'T', '-i', 'file'], '--identity belongs to svc request get'],
  [['new', 'T', '--hidden'], '--hidden belongs to svc request get'],
  [['show', 'ID', '--no-encrypt'], '--no-encrypt belongs to svc request new and svc request get'],
  [['get', 'ID', '--no-decrypt'], 'did you mean --no-encrypt?'],
])('svc request %j is refused: %s', async (words, reason) => {
  const { status, stderr } = await owner.run(['request', ...words])
  expect([status, stderr]).toEqual([2, expect.stringContaining(reason)])
})

test.each<[options: readonly string[], reason: string]>([
  [['--ttl', '0'], '--ttl must be longer than 0'],
  [['--upload-ttl', '0s'], '--upload-ttl must be longer than 0'],
  [['--extensions', ','], '--extensions must name extensions such as pdf,jpg'],
  [['--extensions', ''], '--extensions must name extensions such as pdf,jpg'],
])('svc request new %j is refused: %s', async (options, reason) => {
  const { status, stderr } = await owner.run(['request', 'new', 'T', ...options])
  expect([status, stderr]).toEqual([2, expect.stringContaining(reason)])
})

test('svc says when the server keeps files for less time than asked', async () => {
  const { stderr } = await owner.run(['request', 'new', 'T', '--upload-ttl', '400d'])
  expect(stderr).toContain('the server limited --upload-ttl to 4w 2d')
  expect((await owner.run(['request', 'new', 'T', '--upload-ttl', '3d'])).stderr).not.toContain('limited')
})

test('svc request close and open print the link as JSON, too', async () => {
  const { id, url } = await newRequest()
  expect(await owner.json(['request', 'close', id])).toMatchObject({ id, url, closed: true })
  expect(await owner.json(['request', 'open', id])).toMatchObject({ id, url, closed: false })
})

test('svc request show prints all settings', async () => {
  const options = ['--after-end', 'remove', '--upload-ttl', '3d', '--sender-name', 'required']
  const { id } = await newRequest(...options, '--message', 'the message')
  const { output } = await owner.run(['request', 'show', id])
  expect(output).toMatch(/^after the end +remove$/m)
  expect(output).toMatch(/^kept for +3d$/m)
  expect(output).toMatch(/^names of senders +required$/m)
  expect(output).toMatch(/^message +the message$/m)
})
