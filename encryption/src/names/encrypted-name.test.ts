import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPlainEngine } from '../engine/plain-engine.ts'
import { fingerprintOf } from '../header/fingerprint.ts'
import { generateKeyPair, recipientOf } from '../header/identity.ts'
import { isEncryptedName, decryptName, encryptName } from './encrypted-name.ts'

const engine = createPlainEngine()

test('a name is encrypted for a recipient, and opens with the identity', async () => {
  const { identity, recipient } = await generateKeyPair()
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 120 }), async (name) => {
      fc.pre(name.isWellFormed())
      const encrypted = await encryptName(name, { recipients: [recipient] }, engine)
      expect(isEncryptedName(encrypted)).toBe(true)
      expect(await decryptName(encrypted, { identities: [identity] }, engine)).toBe(name)
    }),
    { numRuns: 20 },
  )
})

test('two encryptions of a name differ', async () => {
  const encryptionKey = { recipients: [(await generateKeyPair()).recipient] }
  expect(await encryptName('a', encryptionKey, engine)).not.toBe(
    await encryptName('a', encryptionKey, engine),
  )
})

test('a name that is too long is an error', async () => {
  const encryptionKey = { recipients: [(await generateKeyPair()).recipient] }
  await expect(encryptName('x'.repeat(600), encryptionKey, engine)).rejects.toHaveProperty(
    'code',
    'name_too_long',
  )
  expect((await encryptName('x'.repeat(550), encryptionKey, engine)).length).toBeLessThanOrEqual(1024)
})

test.each(['report.pdf', 'archive.age', `${'A'.repeat(300)}.pdf`])('%s is not an encrypted name', (name) => {
  expect(isEncryptedName(name)).toBe(false)
})

test('a name that only looks encrypted, and one for another key, are errors', async () => {
  const { identity } = await generateKeyPair()
  const keys = { identities: [identity] }
  await expect(decryptName(`${'A'.repeat(301)}.age`, keys, engine)).rejects.toHaveProperty(
    'code',
    'not_encrypted',
  )
  const other = await encryptName('a', { recipients: [(await generateKeyPair()).recipient] }, engine)
  await expect(decryptName(other, keys, engine)).rejects.toHaveProperty('code', 'no_matching_identity')
})

test('a fingerprint is the SHA-256 of the recipient', async () => {
  expect(await fingerprintOf('age1test')).toMatch(/^[\w-]{43}$/)
  expect(await fingerprintOf('age1test')).not.toBe(await fingerprintOf('age1tesu'))
})

test('a private key has its public key, and another text has none', async () => {
  const { identity, recipient } = await generateKeyPair()
  expect(await recipientOf(identity)).toBe(recipient)
  await expect(recipientOf(`${identity}X`)).rejects.toMatchObject({ code: 'bad_identity' })
})
