import { Decrypter } from 'age-encryption'
import type { Engine } from '../engine/engine.ts'
import { EncryptionError } from '../base/error.ts'
import { requireWebCrypto } from '../base/require-web-crypto.ts'
import type { Identity, Stanza } from './key-types.ts'
import { scryptIdentity, scryptType } from './scrypt-stanza.ts'

/** Keys to try on a file. Identities are `AGE-SECRET-KEY-1…`, X25519 keys of WebCrypto, or objects. */
export interface Keys {
  readonly passphrases?: readonly string[]
  readonly identities?: readonly (string | CryptoKey | Identity)[]
}

/** Why none of the keys opened a file. */
function keyError(stanzas: readonly Stanza[], { passphrases = [], identities = [] }: Keys): EncryptionError {
  const isForPassphrase = stanzas.some(({ args }) => args[0] === scryptType)
  if (isForPassphrase) {
    return passphrases.length > 0
      ? new EncryptionError('wrong_passphrase', 'this passphrase does not open the file')
      : new EncryptionError('passphrase_needed', 'the file opens with a passphrase')
  }
  return identities.length > 0
    ? new EncryptionError('no_matching_identity', 'the file was encrypted for another key')
    : new EncryptionError('identity_needed', 'the file needs the key of its recipient')
}

/** The last identity, which is called when no other one opens the file. */
const noIdentity = (keys: Keys): Identity => ({
  unwrapFileKey: (stanzas) => {
    throw keyError(stanzas, keys)
  },
})

function addIdentities(decrypter: Decrypter, identities: readonly (string | CryptoKey | Identity)[]): void {
  if (identities.length > 0) requireWebCrypto()
  for (const identity of identities) {
    try {
      decrypter.addIdentity(identity)
    } catch (error) {
      throw new EncryptionError('bad_identity', 'an identity cannot be read', error)
    }
  }
}

/**
 * The key of a file.
 * @param header the beginning of the file, to the end of the header's last line
 * @throws EncryptionError `passphrase_needed`, `identity_needed`, `wrong_passphrase`, `no_matching_identity`,
 * `work_factor_too_high`, `bad_header`, `bad_identity`, `insecure_context`
 */
export async function openHeader(header: Uint8Array, keys: Keys, engine: Engine): Promise<Uint8Array> {
  const decrypter = new Decrypter()
  for (const passphrase of keys.passphrases ?? []) decrypter.addIdentity(scryptIdentity(engine, passphrase))
  addIdentities(decrypter, keys.identities ?? [])
  decrypter.addIdentity(noIdentity(keys))
  try {
    return await decrypter.decryptHeader(header)
  } catch (error) {
    if (error instanceof EncryptionError) throw error
    throw new EncryptionError('bad_header', 'the header of the file is damaged', error)
  }
}
