/**
 * Files of age for a passkey: the stanza `age-encryption.org/fido2prf` of typage. The key that wraps the file key is derived
 * from two outputs of the pseudo-random function of the passkey (WebAuthn, "prf" extension). Two, so that one confirmation of
 * the user never opens two files.
 */
import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { extract } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { Stanza, type Identity, type Recipient } from 'age-encryption'
import { concat, fromBase64, toBase64, utf8 } from '../base/bytes.ts'
import { EncryptionError } from '../base/error.ts'
import { systemRandom, type RandomSource } from '../base/random-source.ts'
import { wrappedKeyBytes, zeroNonce } from '../header/wrapped-key.ts'

export { fromBase64url } from '../base/base64url.ts'

const label = 'age-encryption.org/fido2prf'
const nonceBytes = 16

/** Two inputs of the function of a passkey, or two outputs. */
export interface PrfValues {
  readonly first: Uint8Array<ArrayBuffer>
  readonly second: Uint8Array<ArrayBuffer>
}

/** 16 bytes that make the inputs of each file different. */
export function newPrfNonce(random: RandomSource = systemRandom): Uint8Array<ArrayBuffer> {
  const nonce = new Uint8Array(nonceBytes)
  random(nonce)
  return nonce
}

/** The inputs for a file. */
export const prfInputs = (nonce: Uint8Array): PrfValues => ({
  first: concat([utf8(label), Uint8Array.of(1), nonce]),
  second: concat([utf8(label), Uint8Array.of(2), nonce]),
})

const wrappingKey = ({ first, second }: PrfValues): Uint8Array =>
  extract(sha256, concat([first, second]), utf8(label))

/** @param outputs outputs of the passkey for `prfInputs(nonce)`, used for a single file */
export const prfRecipient = (nonce: Uint8Array, outputs: PrfValues): Recipient => ({
  wrapFileKey: (fileKey) => [
    new Stanza(
      [label, toBase64(nonce)],
      chacha20poly1305(wrappingKey(outputs), zeroNonce()).encrypt(fileKey),
    ),
  ],
})

/** @param outputs outputs of the passkey for the inputs of the file */
export const prfIdentity = (outputs: PrfValues): Identity => ({
  unwrapFileKey: (stanzas) => {
    const stanza = stanzas.find(({ args }) => args[0] === label)
    if (stanza === undefined) return null
    if (stanza.args.length !== 2 || stanza.body.length !== wrappedKeyBytes)
      throw new EncryptionError('bad_header', 'the passkey stanza of the header is damaged')
    try {
      return chacha20poly1305(wrappingKey(outputs), zeroNonce()).decrypt(stanza.body)
    } catch {
      return null
    }
  },
})

/**
 * The nonce of an armored file for a single passkey. It is needed before the passkey is asked.
 * @throws EncryptionError `bad_header`
 */
export function prfNonceOf(armored: string): Uint8Array<ArrayBuffer> {
  const [, base64 = ''] = /^-----BEGIN[^\n]+-----\n([A-Za-z0-9+/=\s]+)\n-----END/.exec(armored) ?? []
  const file = base64 === '' ? '' : atob(base64)
  const [, text = ''] = /^age-encryption\.org\/v1\n-> age-encryption\.org\/fido2prf (\S+)\n/.exec(file) ?? []
  const nonce = fromBase64(text)
  if (nonce?.length !== nonceBytes)
    throw new EncryptionError('bad_header', 'the file is not encrypted for a passkey')
  return nonce
}
