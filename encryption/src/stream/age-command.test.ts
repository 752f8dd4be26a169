import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collected, inChunks, someBytes } from '../../test/bytes.ts'
import { decryptStream } from './decrypt-stream.ts'
import { encryptStream } from './encrypt-stream.ts'
import { createFileHeader, type EncryptionKey } from '../header/file-header.ts'
import { createNodeEngine } from '../node/engine.ts'
import type { Keys } from '../header/open-header.ts'
import { describeWith } from '../../../scripts/tests/needs.ts'

const run = promisify(execFile)
const program = '/usr/bin/age'
const pseudoterminal = path.join(import.meta.dirname, '../../test/type-passphrase.py')

const engine = createNodeEngine({ threads: 2 })
const chunk = 65_536
/**
 * Both sides of each boundary of chunks and batches; the largest exceeds what the calling thread encrypts
 * alone.
 */
const sizes = [
  0,
  1,
  chunk - 1,
  chunk,
  chunk + 1,
  2 * chunk - 1,
  2 * chunk,
  2 * chunk + 1,
  3 * chunk,
  90 * chunk + 7,
]

let folder: string
let identity: string
let recipient: string
const at = (name: string) => path.join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-age-'))
  identity = await generateX25519Identity()
  recipient = await identityToRecipient(identity)
  await writeFile(at('key'), `${identity}\n`)
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

async function encrypted(content: Uint8Array, encryptionKey: EncryptionKey): Promise<Uint8Array> {
  const header = await createFileHeader(encryptionKey, engine)
  return collected(encryptStream(inChunks(content), { header, engine }))
}
const decrypted = (file: Uint8Array, keys: Keys) => collected(decryptStream(inChunks(file), { keys, engine }))

/** Runs age, which reads passphrases only from a terminal. */
const ageWithPassphrase = (passphrase: string, args: readonly string[]) =>
  run('python3', [pseudoterminal, passphrase, program, ...args])

describeWith(['age', 'python3'], 'the age command', () => {
  test.for(sizes)('decrypts %i bytes that we encrypted for a recipient', async (size) => {
    const content = someBytes(size)
    await writeFile(at('ours.age'), await encrypted(content, { recipients: [recipient] }))
    // Not with -o: for an empty content, age creates no file.
    const { stdout } = await run(program, ['-d', '-i', at('key'), at('ours.age')], {
      encoding: 'buffer',
      maxBuffer: content.length + 1,
    })
    expect(Buffer.compare(stdout, content)).toBe(0)
  })

  test.for(sizes)('encrypts %i bytes for a recipient, and we decrypt them', async (size) => {
    const content = someBytes(size)
    await writeFile(at('theirs'), content)
    await run(program, ['-r', recipient, '-o', at('theirs.age'), at('theirs')])
    const back = await decrypted(await readFile(at('theirs.age')), { identities: [identity] })
    expect(Buffer.compare(back, content)).toBe(0)
  })

  test('decrypts what we encrypted with a passphrase', async () => {
    const passphrase = 'correct horse é'
    await writeFile(at('ours.age'), await encrypted(someBytes(70_000), { passphrase }))
    await ageWithPassphrase(passphrase, ['-d', '-o', at('ours'), at('ours.age')])
    expect(Buffer.compare(await readFile(at('ours')), someBytes(70_000))).toBe(0)
  })

  test('encrypts with a passphrase, armored or not, and we decrypt it', async () => {
    const passphrase = 'battery staple é'
    await writeFile(at('theirs'), someBytes(70_000))
    for (const [flags, passphrases] of [
      [['-p'], ['wrong', passphrase]],
      [['-p', '-a'], [passphrase]],
    ] as const) {
      await ageWithPassphrase(passphrase, [...flags, '-o', at('theirs.age'), at('theirs')])
      const back = await decrypted(await readFile(at('theirs.age')), { passphrases })
      expect(Buffer.compare(back, someBytes(70_000))).toBe(0)
    }
  })

  test('writes armor that we decrypt', async () => {
    await writeFile(at('theirs'), someBytes(200_000))
    await run(program, ['-a', '-r', recipient, '-o', at('theirs.age'), at('theirs')])
    const back = await decrypted(await readFile(at('theirs.age')), { identities: [identity] })
    expect(Buffer.compare(back, someBytes(200_000))).toBe(0)
  })
})

test('a post-quantum identity decrypts what was encrypted for its recipient', async () => {
  const hybrid = await generateHybridIdentity()
  const file = await encrypted(someBytes(10), { recipients: [await identityToRecipient(hybrid)] })
  expect(await decrypted(file, { identities: [identity, hybrid] })).toEqual(someBytes(10))
})
