import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { Stanza, type Identity, type Recipient } from 'age-encryption'
import { fromBase64, concat, toBase64, utf8 } from '../base/bytes.ts'
import { EncryptionError } from '../base/error.ts'
import type { RandomSource } from '../base/random-source.ts'
import { wrappedKeyBytes, zeroNonce } from '../header/wrapped-key.ts'
import { keyTag } from './key-tag.ts'
import type { SshPrivateKey } from './private-key.ts'
import type { SshPublicKey } from './public-key.ts'

type PublicKey = Extract<SshPublicKey, { kind: 'ssh-ed25519' }>
type PrivateKey = Extract<SshPrivateKey, { kind: 'ssh-ed25519' }>

const label = utf8('age-encryption.org/v1/ssh-ed25519')
const keyBytes = 32

/**
 * The key that wraps a file key: the shared secret of both sides, multiplied by a number derived from the SSH key, so that
 * it differs from that of the same point as an age recipient.
 * @param theirs the other side's point; the recipient's own is `point`
 */
function wrappingKey(
  publicKey: PublicKey,
  {
    secret,
    theirs,
    ephemeral,
    point,
  }: Readonly<Record<'secret' | 'theirs' | 'ephemeral' | 'point', Uint8Array>>,
): Uint8Array {
  const tweak = hkdf(sha256, new Uint8Array(), publicKey.encoded, label, keyBytes)
  const shared = x25519.getSharedSecret(tweak, x25519.getSharedSecret(secret, theirs))
  return hkdf(sha256, shared, concat([ephemeral, point]), label, keyBytes)
}

/** @throws EncryptionError `bad_recipient` when the key is not a point of the curve */
export function ed25519Recipient(publicKey: PublicKey, random: RandomSource): Recipient {
  let point: Uint8Array
  try {
    point = ed25519.utils.toMontgomery(publicKey.point)
  } catch (error) {
    throw new EncryptionError('bad_recipient', 'the ssh-ed25519 key is damaged', error)
  }
  return {
    wrapFileKey: (fileKey) => {
      const secret = new Uint8Array(keyBytes)
      random(secret)
      const ephemeral = x25519.getPublicKey(secret)
      const key = wrappingKey(publicKey, { secret, theirs: point, ephemeral, point })
      const body = chacha20poly1305(key, zeroNonce()).encrypt(fileKey)
      return [new Stanza(['ssh-ed25519', keyTag(publicKey), toBase64(ephemeral)], body)]
    },
  }
}

/**
 * The point of a stanza.
 * @throws EncryptionError `bad_header`
 */
function ephemeralOf({ args, body }: Stanza): Uint8Array {
  const point = fromBase64(args[2] ?? '')
  if (args.length !== 3 || point?.length !== keyBytes || body.length !== wrappedKeyBytes)
    throw new EncryptionError('bad_header', 'the SSH stanza of the header is damaged')
  return point
}

export function ed25519Identity({ publicKey, seed }: PrivateKey): Identity {
  const secret = ed25519.utils.toMontgomerySecret(seed)
  const point = x25519.getPublicKey(secret)
  const opened = (stanza: Stanza): Uint8Array | null => {
    const ephemeral = ephemeralOf(stanza)
    try {
      const key = wrappingKey(publicKey, { secret, theirs: ephemeral, ephemeral, point })
      return chacha20poly1305(key, zeroNonce()).decrypt(stanza.body)
    } catch {
      // Another key with the same tag.
      return null
    }
  }
  return {
    unwrapFileKey: (stanzas) => {
      for (const stanza of stanzas) {
        if (stanza.args[0] !== 'ssh-ed25519' || stanza.args[1] !== keyTag(publicKey)) continue
        const fileKey = opened(stanza)
        if (fileKey !== null) return fileKey
      }
      return null
    },
  }
}
