import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collected, inChunks, outcomeOf, someBytes } from '../../test/bytes.ts'
import { utf8 } from '../base/bytes.ts'
import { decryptStream } from '../stream/decrypt-stream.ts'
import { encryptStream } from '../stream/encrypt-stream.ts'
import { createFileHeader, type EncryptionKey } from './file-header.ts'
import { isAgeHeader } from './header-reader.ts'
import type { Keys } from './open-header.ts'
import { generatePassphrase, looksGenerated } from './passphrase.ts'
import { createPlainEngine } from '../engine/plain-engine.ts'
import { encryptedSize, plainSize } from '../base/sizes.ts'

const engine = createPlainEngine()
const content = someBytes(1000)
const withPassphrase = { passphrase: 'correct', workFactor: 2 }
const [ada, bob] = await Promise.all([generateX25519Identity(), generateX25519Identity()])
const forAda = { recipients: [await identityToRecipient(ada)] }

async function encrypted(encryptionKey: EncryptionKey): Promise<Uint8Array> {
  const header = await createFileHeader(encryptionKey, engine)
  return collected(encryptStream(inChunks(content), { header, engine }))
}
const outcome = (file: Uint8Array, keys: Keys) => outcomeOf(decryptStream(inChunks(file), { keys, engine }))

test.for<[what: string, encryptionKey: EncryptionKey, keys: Keys, code: string]>([
  ['another passphrase', withPassphrase, { passphrases: ['Correct', ''] }, 'wrong_passphrase'],
  ['an identity for a passphrase', withPassphrase, { identities: [ada] }, 'passphrase_needed'],
  ['no key for a passphrase', withPassphrase, {}, 'passphrase_needed'],
  ['a stranger', forAda, { identities: [bob] }, 'no_matching_identity'],
  ['a passphrase for an identity', forAda, { passphrases: ['correct'] }, 'identity_needed'],
  ['an invalid identity', forAda, { identities: ['AGE-SECRET-KEY-1X'] }, 'bad_identity'],
])('%s does not open a file', async ([, encryptionKey, keys, code]) => {
  const { bytes, error } = await outcome(await encrypted(encryptionKey), keys)
  expect(error).toMatchObject({ name: 'EncryptionError', code })
  expect(bytes).toHaveLength(0)
})

test('a file for several recipients opens with the identity of each, among other keys', async () => {
  const file = await encrypted({ recipients: [...forAda.recipients, await identityToRecipient(bob)] })
  for (const keys of [{ identities: [bob] }, { passphrases: ['x'], identities: [ada] }]) {
    expect(await outcome(file, keys)).toEqual({ bytes: content, error: undefined })
  }
})

test.for<[what: string, recipients: string[], code: string]>([
  ['nobody', [], 'bad_recipient'],
  ['nonsense', ['age1nonsense'], 'bad_recipient'],
  ['an identity', [ada], 'bad_recipient'],
])('encryption for %s is rejected', async ([, recipients, code]) => {
  await expect(createFileHeader({ recipients }, engine)).rejects.toMatchObject({ code })
})

test('post-quantum recipients do not mix with others', async () => {
  const recipients = [...forAda.recipients, await identityToRecipient(await generateHybridIdentity())]
  await expect(createFileHeader({ recipients }, engine)).rejects.toMatchObject({ code: 'mixed_recipients' })
})

test('a header with any changed byte does not open', async () => {
  const header = await createFileHeader(withPassphrase, engine)
  const file = await collected(encryptStream(inChunks(content), { header, engine }))
  for (let at = 0; at < header.bytes.length; at += 1) {
    const changed = file.slice()
    changed[at] = (changed[at] ?? 0) ^ 1
    // A work factor of 3 instead of 2 costs nothing; a larger one would take too long.
    const { bytes, error } = await outcome(changed, { passphrases: ['correct'] })
    expect(error).toMatchObject({ name: 'EncryptionError' })
    expect(bytes).toHaveLength(0)
  }
})

test('a work factor that needs gigabytes is rejected before the derivation starts', async () => {
  const header = `age-encryption.org/v1\n-> scrypt ${'A'.repeat(22)} 30\n${'A'.repeat(43)}\n--- ${'A'.repeat(43)}\n`
  const { error } = await outcome(utf8(header), { passphrases: ['correct'] })
  expect(error).toMatchObject({ code: 'work_factor_too_high' })
})

test.for([
  ['', 'not_encrypted'],
  ['PK\u0003\u0004', 'not_encrypted'],
  ['age-encryption.org/v2\n-> x\n\n--- x\n', 'bad_header'],
  ['age-encryption.org/v1\n-> scrypt', 'truncated'],
  ['  -----BEGIN SOMETHING-----\n', 'bad_armor'],
] as const)('the header %j is rejected with the code %s', async ([text, code]) => {
  expect((await outcome(utf8(text), { passphrases: ['correct'] })).error).toMatchObject({ code })
})

test('a file is recognized by its first line', () => {
  expect(isAgeHeader(utf8('age-encryption.org/v1\n-> X25519'))).toBe(true)
  for (const text of ['', 'age-encryption.org/v1', 'age-encryption.org/v11\n', ' age-encryption.org/v1\n']) {
    expect(isAgeHeader(utf8(text))).toBe(false)
  }
})

test('plainSize inverts encryptedSize, and rejects sizes in between', () => {
  const plain = fc.oneof(
    fc.nat(300_000),
    fc.nat(2 ** 44),
    fc.nat(50).map((chunks) => chunks * 65_536),
  )
  fc.assert(
    fc.property(plain, fc.integer({ min: 100, max: 5000 }), (size, header) => {
      expect(plainSize(encryptedSize(size, header), header)).toBe(size)
    }),
  )
  const possible = (payload: number) => payload % 65_552 === 0 || payload % 65_552 > 16 || payload === 16
  for (const payload of [0, 15, 16, 17, 65_551, 65_552, 65_553, 65_568, 65_569]) {
    const known = () => plainSize(100 + 16 + payload, 100)
    if (payload > 0 && possible(payload)) expect(known()).toBeGreaterThanOrEqual(0)
    else expect(known).toThrow(expect.objectContaining({ code: 'truncated' }))
  }
})

test('a passphrase is 28 random characters in groups that need no escaping', () => {
  const passphrase = generatePassphrase()
  expect(passphrase).toMatch(/^[2-9a-km-z]{4}(?:-[2-9a-km-z]{4}){6}$/)
  expect(encodeURIComponent(passphrase)).toBe(passphrase)
  expect(generatePassphrase()).not.toBe(passphrase)
})

test('all values of a random byte map evenly to characters', () => {
  const often = new Map<string, number>()
  for (let value = 0; value < 256; value += 1) {
    const [character = ''] = generatePassphrase((bytes) => bytes.fill(value))
    often.set(character, (often.get(character) ?? 0) + 1)
  }
  expect(often.size).toBe(32)
  expect([...new Set(often.values())]).toEqual([8])
})

test.for([
  [generatePassphrase(), true],
  ['aaaa-aaaa-aaaa-aaaa-aaaa-aaaa-aaaa', false],
  ['correct horse battery staple', false],
  [generatePassphrase().slice(0, -1), false],
] as const)('looksGenerated detects whether %s was generated', ([passphrase, generated]) => {
  expect(looksGenerated(passphrase)).toBe(generated)
})
