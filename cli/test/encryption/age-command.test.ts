import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { typePassphraseScript, chunk, contentOf, namesOf, storeEncrypted } from '../support/encrypted.ts'
import { installSvc, type Svc } from '../support/svc.ts'
import { svcAtTerminal } from '../support/terminal.ts'
import { describeWith } from '../../../scripts/tests/needs.ts'
import { missingPrograms } from '../../../scripts/tests/programs.ts'

const run = promisify(execFile)

let server: Svcd
let svc: Svc
let recipient: string

beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
  svc = await installSvc(server.url)
  if (missingPrograms('age') !== null) return
  await run('age-keygen', ['-o', svc.path('key.txt')])
  recipient = (await run('age-keygen', ['-y', svc.path('key.txt')])).stdout.trim()
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close()])
})

/** The command lines that a terminal shows. */
const linesIn = (screen: string) => screen.split('\r\n').filter((line) => line.includes('curl '))

const inShell = (command: string, folder: string) => run('sh', ['-c', command], { cwd: svc.path(folder) })

describeWith(['age', 'python3'], 'with the age command', () => {
  test('the printed command lines decrypt files of any size into their folders', async () => {
    const sizes = [1, chunk - 1, chunk, chunk + 1, 4 * chunk]
    await mkdir(svc.path('sizes'))
    for (const size of sizes) await writeFile(svc.path(`sizes/${String(size)}`), randomBytes(size))
    const { status, screen } = await svcAtTerminal(svc, ['sizes', '--recipient', recipient])
    expect(status).toBe(0)
    const lines = linesIn(screen)
    expect(lines).toHaveLength(sizes.length)
    await mkdir(svc.path('back'))
    await writeFile(svc.path('back/key.txt'), await contentOf(svc, 'key.txt'))
    for (const line of lines) {
      expect(line).toContain('| age --decrypt -i key.txt -o sizes/')
      await inShell(line.replace('curl ', 'curl -s '), 'back')
    }
    for (const size of sizes)
      expect(
        Buffer.compare(
          await contentOf(svc, `back/sizes/${String(size)}`),
          await contentOf(svc, `sizes/${String(size)}`),
        ),
      ).toBe(0)
  })

  test('one command line decrypts and unpacks an archive', async () => {
    await mkdir(svc.path('tree'))
    await writeFile(svc.path('tree/a.txt'), 'hello\n'.repeat(50_000))
    await writeFile(svc.path('keys'), `# ada\n${recipient}\n`)
    const { screen } = await svcAtTerminal(svc, ['tree', '-a', 'tar.gz', '--recipient', 'keys'])
    const [line = ''] = linesIn(screen)
    expect(line).toMatch(/\| age --decrypt -i key\.txt \| tar xz$/)
    await mkdir(svc.path('unpacked'))
    await inShell(line.replace('key.txt', '../key.txt').replace('curl ', 'curl -s '), 'unpacked')
    expect((await contentOf(svc, 'unpacked/tree/a.txt')).toString()).toBe('hello\n'.repeat(50_000))
  })

  test('a passphrase works in both directions', async () => {
    const passphrase = 'correct horse é & co'
    await writeFile(svc.path('ours'), randomBytes(3 * chunk))
    const environment = { SVC_PASSPHRASE: passphrase }
    const { output } = await svc.run(['-q', '-s', 'ours'], { environment })
    expect(output.trim()).toMatch(/#key=correct%20horse%20%C3%A9%20%26%20co$/)
    await svc.run(['get', output.trim(), '--no-decrypt', '-o', 'ours.age'])
    await run('python3', [
      typePassphraseScript,
      passphrase,
      '/usr/bin/age',
      '-d',
      '-o',
      svc.path('ours.back'),
      svc.path('ours.age'),
    ])
    expect(Buffer.compare(await contentOf(svc, 'ours.back'), await contentOf(svc, 'ours'))).toBe(0)
    await run('python3', [
      typePassphraseScript,
      passphrase,
      '/usr/bin/age',
      '-p',
      '-o',
      svc.path('theirs.age'),
      svc.path('ours'),
    ])
    const { id } = await storeEncrypted(server, await contentOf(svc, 'theirs.age'))
    expect(await svc.json(['get', id, '-o', 'theirs', '--passphrase', passphrase])).toMatchObject([
      { status: 'downloaded', decrypted: true },
    ])
    expect(Buffer.compare(await contentOf(svc, 'theirs'), await contentOf(svc, 'ours'))).toBe(0)
  })

  test.each([[0], [1], [chunk - 1], [chunk], [chunk + 1], [70 * chunk + 9]])(
    '%i bytes that age encrypted are decrypted, to a file and to standard output',
    async (size) => {
      await writeFile(svc.path('plain'), randomBytes(size))
      await run('age', ['-r', recipient, '-o', svc.path('plain.age'), svc.path('plain')])
      const { id } = await storeEncrypted(server, await contentOf(svc, 'plain.age'))
      await rm(svc.path('back.bin'), { force: true })
      expect(await svc.run(['get', id, '-i', 'key.txt', '-o', 'back.bin'])).toMatchObject({ status: 0 })
      expect(Buffer.compare(await contentOf(svc, 'back.bin'), await contentOf(svc, 'plain'))).toBe(0)
      expect(await namesOf(svc, 'back.bin')).toEqual(['back.bin'])
      const { status } = await run(
        'sh',
        [
          '-c',
          `"${process.execPath}" svc.mjs get ${id} -i key.txt -o - --server ${server.url} | cmp - plain`,
        ],
        { cwd: svc.directory },
      ).then(() => ({ status: 0 }))
      expect(status).toBe(0)
    },
  )

  test('a file with armor counts as encrypted, and is decrypted, also beside a partial file', async () => {
    await writeFile(svc.path('plain'), randomBytes(3 * chunk))
    await run('age', ['--armor', '-r', recipient, '-o', svc.path('plain.asc'), svc.path('plain')])
    const { id } = await storeEncrypted(server, await contentOf(svc, 'plain.asc'))
    await writeFile(svc.path('armored.0123456789abcdef.part'), 'of an earlier file')
    expect(await svc.run(['get', id, '-i', 'key.txt', '-o', 'armored'])).toMatchObject({ status: 0 })
    expect(Buffer.compare(await contentOf(svc, 'armored'), await contentOf(svc, 'plain'))).toBe(0)
  })

  test('an SSH public key is a recipient, and its private key decrypts', async () => {
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', svc.path('id')])
    await writeFile(svc.path('note'), 'for your eyes')
    const { screen } = await svcAtTerminal(svc, ['note', '--recipient', 'id.pub'])
    expect(screen).toContain('| age --decrypt -i ~/.ssh/id_ed25519 -o note')
    const page = /http\S+#\/\?id=\w+/.exec(screen)?.[0] ?? ''
    expect(await svc.run(['get', page, '-i', 'id', '-o', '-'])).toMatchObject({ output: 'for your eyes' })
    expect(await svc.run(['get', page, '-i', 'key.txt', '-o', 'stranger'])).toMatchObject({ status: 6 })
  })
})
