import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collected, inChunks, outcomeOf, someBytes } from '../../test/bytes.ts'
import { decryptStream } from '../stream/decrypt-stream.ts'
import { encryptStream } from '../stream/encrypt-stream.ts'
import { createFileHeader } from '../header/file-header.ts'
import type { Keys } from '../header/open-header.ts'
import { createPlainEngine } from '../engine/plain-engine.ts'
import { sshIdentity, sshRecipient } from './index.ts'

const run = promisify(execFile)

const engine = createPlainEngine()
const content = someBytes(70_000)
const kinds = [
  ['ed25519', []],
  ['rsa', ['-b', '2048']],
] as const

let folder: string
const at = (name: string) => path.join(folder, name)
const text = (name: string) => readFile(at(name), 'utf8')

async function makeKey(name: string, args: readonly string[]): Promise<void> {
  await run('ssh-keygen', ['-q', '-C', 'ada@example', '-f', at(name), '-t', ...args])
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-ssh-'))
  for (const [kind, size] of kinds) {
    await makeKey(kind, [kind, '-N', '', ...size])
    await makeKey(`other-${kind}`, [kind, '-N', '', ...size])
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function encrypted(lines: readonly string[]): Promise<Uint8Array> {
  const encryptionKey = { recipients: lines.map((line) => sshRecipient(line)) }
  const header = await createFileHeader(encryptionKey, engine)
  const file = await collected(encryptStream(inChunks(content), { header, engine }))
  expect(file).toHaveLength(header.encryptedSize(content.length))
  return file
}
const outcome = (file: Uint8Array, keys: Keys) => outcomeOf(decryptStream(inChunks(file), { keys, engine }))

describe.for(kinds)('an SSH key of the kind %s', ([kind]) => {
  test('decrypts with age what we encrypted', async () => {
    await writeFile(at(`ours-${kind}.age`), await encrypted([await text(`${kind}.pub`)]))
    await run('age', ['-d', '-i', at(kind), '-o', at(`ours-${kind}`), at(`ours-${kind}.age`)])
    expect(Buffer.compare(await readFile(at(`ours-${kind}`)), content)).toBe(0)
  })

  test('decrypts with our code what age encrypted', async () => {
    await writeFile(at(`theirs-${kind}`), content)
    await run('age', ['-R', at(`${kind}.pub`), '-o', at(`theirs-${kind}.age`), at(`theirs-${kind}`)])
    const identities = [sshIdentity(await text(kind))]
    const file = await readFile(at(`theirs-${kind}.age`))
    expect(await outcome(file, { identities })).toEqual({ bytes: content, error: undefined })
  })

  test('does not open a file for another key, or a changed file', async () => {
    const file = await encrypted([await text(`${kind}.pub`)])
    const own = [sshIdentity(await text(kind))]
    const strangers = [sshIdentity(await text(`other-${kind}`))]
    expect((await outcome(file, { identities: strangers })).error).toMatchObject({
      code: 'no_matching_identity',
    })
    const end = Buffer.from(file).indexOf('\n---')
    for (let byte = 22; byte < end; byte += 7) {
      const changed = file.slice()
      changed[byte] = (changed[byte] ?? 0) ^ 1
      const { bytes, error } = await outcome(changed, { identities: own })
      expect(error).toMatchObject({ name: 'EncryptionError' })
      expect(bytes).toHaveLength(0)
    }
  })
})

describe('a private key with a passphrase', () => {
  const ciphers = ['aes256-ctr', 'aes256-cbc', 'aes256-gcm@openssh.com', 'aes128-ctr']
  test.each(ciphers)('in %s opens a file, and is asked for once', async (cipher) => {
    await makeKey(cipher, ['ed25519', '-N', 'größte Not', '-Z', cipher])
    const files = [
      await encrypted([await text(`${cipher}.pub`)]),
      await encrypted([await text(`${cipher}.pub`)]),
    ]
    const answers = ['wrong', '', 'größte Not']
    const asked = () => Promise.resolve(answers.shift() ?? '')
    const identities = [sshIdentity(await text(cipher), { askPassphrase: asked })]
    for (const file of files) expect((await outcome(file, { identities })).bytes).toEqual(content)
    expect(answers).toEqual([])
  })

  test('of RSA opens a file', async () => {
    await makeKey('locked-rsa', ['rsa', '-b', '2048', '-N', 'secret'])
    const file = await encrypted([await text('locked-rsa.pub')])
    const asked = () => Promise.resolve('secret')
    const identities = [sshIdentity(await text('locked-rsa'), { askPassphrase: asked })]
    expect((await outcome(file, { identities })).bytes).toEqual(content)
  })

  test('is not asked for when the file is for another key, and three wrong ones are the end', async () => {
    await makeKey('mine', ['ed25519', '-N', 'secret'])
    let asked = 0
    const askPassphrase = () => {
      asked += 1
      return Promise.resolve('wrong')
    }
    const identities = [sshIdentity(await text('mine'), { askPassphrase })]
    const other = await encrypted([await text('ed25519.pub')])
    expect((await outcome(other, { identities })).error).toMatchObject({ code: 'no_matching_identity' })
    expect(asked).toBe(0)
    const own = await encrypted([await text('mine.pub')])
    expect((await outcome(own, { identities })).error).toMatchObject({ code: 'bad_identity' })
    expect(asked).toBe(3)
  })
})

describe('SSH keys', () => {
  test('of both kinds open one file', async () => {
    const file = await encrypted([await text('rsa.pub'), await text('ed25519.pub')])
    for (const kind of ['ed25519', 'rsa'])
      expect((await outcome(file, { identities: [sshIdentity(await text(kind))] })).bytes).toEqual(content)
  })

  test('that are unsupported are rejected with a message', async () => {
    await makeKey('locked', ['ed25519', '-N', 'secret'])
    await makeKey('weak', ['rsa', '-b', '1024', '-N', ''])
    await makeKey('curve', ['ecdsa', '-N', ''])
    await makeKey('pem', ['rsa', '-b', '2048', '-N', '', '-m', 'PEM'])
    const identity = async (name: string) => {
      const key = await text(name)
      return () => sshIdentity(key)
    }
    expect(await identity('locked')).toThrow(/has a passphrase/)
    expect(await identity('curve')).toThrow(/ecdsa-sha2-nistp256/)
    expect(await identity('pem')).toThrow(/not in the format of OpenSSH/)
    for (const name of ['weak', 'curve']) {
      const line = await text(`${name}.pub`)
      expect(() => sshRecipient(line)).toThrow(expect.objectContaining({ code: 'bad_recipient' }))
    }
  })

  test('that are truncated anywhere are rejected', async () => {
    for (const kind of ['ed25519', 'rsa']) {
      const key = await text(kind)
      const body = Buffer.from(key.replaceAll(/-----.*-----/g, ''), 'base64')
      for (let length = 0; length < body.length - 16; length += 13) {
        const cut = `-----BEGIN OPENSSH PRIVATE KEY-----\n${body.toString('base64', 0, length)}\n-----END OPENSSH PRIVATE KEY-----\n`
        expect(() => sshIdentity(cut)).toThrow(expect.objectContaining({ code: 'bad_identity' }))
      }
      const [name, line = ''] = (await text(`${kind}.pub`)).split(' ')
      for (let length = 0; length < line.length - 4; length += 12)
        expect(() => sshRecipient(`${String(name)} ${line.slice(0, length)}`)).toThrow(
          expect.objectContaining({ code: 'bad_recipient' }),
        )
    }
  })
})
