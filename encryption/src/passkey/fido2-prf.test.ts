import { createHmac } from 'node:crypto'
import { Decrypter, Encrypter, webauthn } from 'age-encryption'
import { afterEach, expect, test, vi } from 'vitest'
import { collected, inChunks, outcomeOf, someBytes } from '../../test/bytes.ts'
import { createPlainEngine } from '../engine/plain-engine.ts'
import { armored } from '../header/armor.ts'
import { createFileHeader } from '../header/file-header.ts'
import { decryptStream } from '../stream/decrypt-stream.ts'
import { encryptStream } from '../stream/encrypt-stream.ts'
import { newPrfNonce, prfIdentity, prfInputs, prfNonceOf, prfRecipient, type PrfValues } from './fido2-prf.ts'

const engine = createPlainEngine()
const content = someBytes(1000)

/** The function of a passkey, as security keys compute it. */
const passkey = (secret: string) => {
  const output = (input: Uint8Array) => new Uint8Array(createHmac('sha256', secret).update(input).digest())
  return ({ first, second }: PrfValues): PrfValues => ({ first: output(first), second: output(second) })
}
const mine = passkey('mine')

/** Offers a passkey to the library of age, which asks the browser for it. */
function offer(own: typeof mine): void {
  const get = ({ publicKey }: { publicKey: { extensions: { prf: { eval: PrfValues } } } }) => ({
    getClientExtensionResults: () => ({ prf: { results: own(publicKey.extensions.prf.eval) } }),
  })
  vi.stubGlobal('navigator', { credentials: { get } })
}
afterEach(() => vi.unstubAllGlobals())

async function encrypted(own = mine): Promise<Uint8Array> {
  const nonce = newPrfNonce()
  const header = await createFileHeader({ recipients: [prfRecipient(nonce, own(prfInputs(nonce)))] }, engine)
  return collected(encryptStream(inChunks(content), { header, engine }))
}
const opened = (file: Uint8Array, own = mine) => {
  const identity = prfIdentity(own(prfInputs(prfNonceOf(armored(file)))))
  return outcomeOf(decryptStream(inChunks(file), { keys: { identities: [identity] }, engine }))
}

test('a file opens with its passkey', async () => {
  expect(await opened(await encrypted())).toEqual({ bytes: content, error: undefined })
})

test('another passkey does not open it', async () => {
  const { bytes, error } = await opened(await encrypted(), passkey('other'))
  expect(error).toMatchObject({ name: 'EncryptionError', code: 'no_matching_identity' })
  expect(bytes).toHaveLength(0)
})

test('the library of age opens the file, and its own files open here', async () => {
  offer(mine)
  const decrypter = new Decrypter()
  decrypter.addIdentity(new webauthn.WebAuthnIdentity())
  expect(await decrypter.decrypt(await encrypted())).toEqual(content)
  const encrypter = new Encrypter()
  encrypter.addRecipient(new webauthn.WebAuthnRecipient())
  expect(await opened(await encrypter.encrypt(content))).toEqual({ bytes: content, error: undefined })
})

test('each file has other inputs', () => {
  const [inputs, otherInputs] = [prfInputs(newPrfNonce()), prfInputs(newPrfNonce())]
  expect(new Set([inputs.first, inputs.second, otherInputs.first, otherInputs.second].map(String)).size).toBe(
    4,
  )
})

const header = (stanza: string) => armored(new TextEncoder().encode(`age-encryption.org/v1\n-> ${stanza}\n`))
test.each([
  ['no armor', 'age-encryption.org/v1'],
  ['nothing', ''],
  ['a file for a recipient', header('X25519 c2FsdA')],
  ['a short nonce', header('age-encryption.org/fido2prf c2FsdA')],
  ['a nonce with a wrong last character', header(`age-encryption.org/fido2prf ${'A'.repeat(21)}B`)],
])('no nonce is read from %s', (_, text) => {
  expect(() => prfNonceOf(text)).toThrow(expect.objectContaining({ code: 'bad_header' }))
})

test('a stanza with a body of another size is damaged', () => {
  const identity = prfIdentity(mine(prfInputs(newPrfNonce())))
  const stanza = { args: ['age-encryption.org/fido2prf', 'x'], body: new Uint8Array(31) }
  expect(() => identity.unwrapFileKey([stanza])).toThrow(expect.objectContaining({ code: 'bad_header' }))
})
