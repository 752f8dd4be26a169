import { execFile } from 'node:child_process'
import { chmod, copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bech32 } from '@scure/base'
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest'
import { describeWith } from '../../../scripts/tests/needs.ts'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { startServer } from '../support/foreign-servers.ts'
import { typePassphraseScript } from '../support/encrypted.ts'
import { installSvc, type Svc } from '../support/svc.ts'
import { svcAtTerminal, type Answer } from '../support/terminal.ts'

/** Keys of people: their files, their names, and plugins. */
const run = promisify(execFile)
let server: Svcd
let svc: Svc

beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
})
afterAll(async () => {
  server.kill('SIGKILL')
  await server.ended
})
beforeEach(async () => {
  svc = await installSvc(server.url)
  await writeFile(svc.path('plain'), 'for your eyes only\n')
})
afterEach(() => svc.close())

const sshKey = (name: string, passphrase: string, ...options: readonly string[]) =>
  run('ssh-keygen', ['-q', '-t', 'ed25519', '-C', 'ada', '-N', passphrase, '-f', svc.path(name), ...options])
const publicKey = async (name: string) => (await readFile(svc.path(`${name}.pub`), 'utf8')).trim()

async function sent(...options: readonly string[]): Promise<string> {
  const { status, output, stderr } = await svc.run(['plain', '--link', 'page', ...options])
  expect({ status, stderr }).toMatchObject({ status: 0 })
  return output.trim()
}
const received = (link: string, identity: string, environment: Readonly<Record<string, string>> = {}) =>
  svc.run(['get', link, '-i', identity, '-o', '-'], { environment })
const opened = { status: 0, output: 'for your eyes only\n' }

describeWith(['openssh-client'], 'an SSH key with a passphrase', () => {
  test('opens a file with the passphrase of the environment', async () => {
    await sshKey('id', 'secret')
    const link = await sent('--recipient', 'id.pub')
    expect(await received(link, 'id', { SVC_IDENTITY_PASSPHRASE: 'secret' })).toMatchObject(opened)
    expect(await received(link, 'id', { SVC_IDENTITY_PASSPHRASE: 'wrong' })).toMatchObject({ status: 2 })
    expect(await received(link, 'id')).toMatchObject({
      status: 6,
      stderr: expect.stringContaining('id has a passphrase: use a terminal') as string,
    })
  })

  describeWith(['python3'], 'at a terminal', () => {
    test('asks for the passphrase, and again after a wrong one', async () => {
      await sshKey('id', 'secret')
      const link = await sent('--recipient', 'id.pub')
      const answers: Answer[] = [
        ['Passphrase of id', 'wrong\r'],
        ['Passphrase of id', 'secret\r'],
      ]
      expect(await svcAtTerminal(svc, ['get', link, '-i', 'id', '-o', 'back'], { answers })).toMatchObject({
        status: 0,
      })
      expect(await readFile(svc.path('back'), 'utf8')).toBe(opened.output)
    })
  })
})

describeWith(['age', 'python3'], 'an identity file that age -p encrypted', () => {
  test.each([[[]], [['--armor']]])('opens a file %j', async (options) => {
    const { stderr } = await run('age-keygen', ['-o', svc.path('key.txt')])
    const recipient = /age1\w+/.exec(stderr)?.[0] ?? ''
    const encrypting = ['/usr/bin/age', '-p', ...options, '-o', svc.path('key.age'), svc.path('key.txt')]
    await run('python3', [typePassphraseScript, 'secret', ...encrypting])
    const link = await sent('--recipient', recipient)
    expect(await received(link, 'key.age', { SVC_IDENTITY_PASSPHRASE: 'secret' })).toMatchObject(opened)
    expect(await received(link, 'key.age', { SVC_IDENTITY_PASSPHRASE: 'wrong' })).toMatchObject({
      status: 6,
      stderr: expect.stringContaining('key.age: wrong passphrase') as string,
    })
  })
})

describeWith(['openssh-client'], 'recipients by name', () => {
  beforeEach(async () => {
    await sshKey('id', '')
    await sshKey('other', '')
    await run('ssh-keygen', ['-q', '-t', 'ecdsa', '-N', '', '-f', svc.path('curve')])
  })
  const serving = async (text: string) =>
    startServer((request, response) => response.end(request.url === '/ada.keys' ? text : ''))

  test('github:USER encrypts for the keys of a user', async () => {
    await using github = await serving(`${await publicKey('curve')}\n${await publicKey('id')}\n`)
    await svc.run(['config', 'github', github.url])
    const { output, stderr } = await svc.run(['plain', '--link', 'page', '--recipient', 'github:ada'])
    expect(stderr).toContain('github:ada: 1 public key; left out: 1 of other kinds')
    expect(await received(output.trim(), 'id')).toMatchObject(opened)
    expect(await svc.run(['plain', '--recipient', 'github:nobody'])).toMatchObject({ status: 2 })
  })

  test('an address encrypts for its keys, over HTTPS or on this machine only', async () => {
    await using site = await serving(await publicKey('id'))
    expect(await received(await sent('--recipient', `${site.url}/ada.keys`), 'id')).toMatchObject(opened)
    const { status, stderr } = await svc.run(['plain', '--recipient', 'http://192.0.2.1/ada.keys'])
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining('over HTTPS only') as string,
    })
    await using redirecting = await startServer((_request, response) =>
      response.writeHead(302, { location: 'http://192.0.2.1/ada.keys' }).end(),
    )
    expect(await svc.run(['plain', '--recipient', `${redirecting.url}/x`])).toMatchObject({
      stderr: expect.stringContaining('over HTTPS only') as string,
    })
    await using page = await serving('<html>')
    expect(await svc.run(['plain', '--recipient', `${page.url}/ada.keys`])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('not a public key') as string,
    })
  })

  test('-R reads a file, also one whose name is in the address book', async () => {
    await writeFile(svc.path('ada'), `# friends\n${await publicKey('id')}\n`)
    await svc.run(['keys', 'add', 'ada', 'other.pub'])
    expect(await received(await sent('-R', 'ada'), 'id')).toMatchObject(opened)
    expect(await received(await sent('--recipient', 'ada'), 'other')).toMatchObject(opened)
  })

  test('the address book keeps the keys of a name as they were', async () => {
    {
      await using site = await serving(await publicKey('id'))
      expect(await svc.run(['keys', 'add', 'ada', `${site.url}/ada.keys`, 'other.pub'])).toMatchObject({
        status: 0,
      })
    }
    expect(await svc.json(['keys'])).toEqual({ ada: [await publicKey('id'), await publicKey('other')] })
    const link = await sent('--recipient', 'ada')
    for (const identity of ['id', 'other']) expect(await received(link, identity)).toMatchObject(opened)
    expect((await svc.run(['keys', 'ls'])).output).toMatch(/ada +ssh-ed25519 AAAA/)
    expect(await svc.run(['keys', 'add', 'ada', 'id.pub'])).toMatchObject({ status: 1 })
    expect(await svc.run(['keys', 'add', 'ada', 'id.pub', '--yes'])).toMatchObject({ status: 0 })
    expect(await svc.json(['keys'])).toEqual({ ada: [await publicKey('id')] })
    expect(await svc.run(['keys', 'rm', 'ada'])).toMatchObject({ status: 0 })
    expect(await svc.json(['keys'])).toEqual({})
    expect(await svc.run(['plain', '--recipient', 'ada'])).toMatchObject({ status: 2 })
  })

  test.each([
    [['keys', 'change'], 'is not one of ls, add, rm'],
    [['keys', 'add', 'ada'], 'use svc keys add NAME KEY'],
    [['keys', 'add', '../ada', 'id.pub'], 'cannot be a name'],
    [['keys', 'add', 'age1ada', 'id.pub'], 'cannot be a name'],
    [['keys', 'add', 'ada', 'age1nonsense'], 'is not a recipient'],
    [['keys', 'add', 'ada', 'curve.pub'], 'not supported'],
    [['keys', 'rm'], 'name the entry'],
  ])('%j is an error of the command line', async (line, words) => {
    const { status, stderr } = await svc.run(line)
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(words) as string })
  })
})

describeWith(['python3'], 'a plugin of age', () => {
  test('is run for its recipients and identities', async () => {
    await copyFile(
      join(import.meta.dirname, '../../../encryption/test/age-plugin-swap.py'),
      svc.path('age-plugin-swap'),
    )
    await chmod(svc.path('age-plugin-swap'), 0o755)
    const environment = { PATH: `${svc.directory}:${process.env['PATH'] ?? ''}` }
    const recipient = bech32.encodeFromBytes('age1swap', Uint8Array.of(5))
    await writeFile(
      svc.path('id'),
      bech32.encodeFromBytes('age-plugin-swap-', Uint8Array.of(5)).toUpperCase(),
    )
    const { output } = await svc.run(['plain', '--link', 'page', '--recipient', recipient], { environment })
    const link = output.trim()
    expect(await received(link, 'id', environment)).toMatchObject(opened)
    const asking = { ...environment, SWAP_ASKS: '1' }
    const asked: Answer[] = [
      ['PIN', '1234\r'],
      ['Use the key', 'y\r'],
    ]
    // For the manifest, and for the file.
    const answers = [...asked, ...asked]
    const { status, screen } = await svcAtTerminal(svc, ['get', link, '-i', 'id', '-o', 'back'], {
      answers,
      environment: asking,
    })
    expect({ status, screen }).toEqual({
      status: 0,
      screen: expect.stringContaining('touch the key') as string,
    })
    expect(await received(link, 'id')).toMatchObject({
      stderr: expect.stringContaining('age-plugin-swap: this plugin of age is not installed') as string,
    })
  })
})
