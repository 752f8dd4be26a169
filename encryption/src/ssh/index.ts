import type { Identity, Recipient, Stanza } from 'age-encryption'
import { systemRandom, type RandomSource } from '../base/random-source.ts'
import { ed25519Identity, ed25519Recipient } from './ed25519.ts'
import { EncryptionError } from '../base/error.ts'
import { keyTag } from './key-tag.ts'
import { readPrivateKey, type PrivateKeyFile, type SshPrivateKey } from './private-key.ts'
import { parsePublicKey } from './public-key.ts'
import { rsaIdentity, rsaRecipient } from './rsa.ts'

export { isPrivateKey } from './private-key.ts'
export { isSshPublicKey } from './public-key.ts'

/**
 * A recipient for an SSH key, in the format of age for `ssh-ed25519` and `ssh-rsa`.
 * @param line line of a `.pub` file: `ssh-ed25519 AAAA… comment`
 * @throws EncryptionError `bad_recipient`
 */
export function sshRecipient(line: string, random: RandomSource = systemRandom): Recipient {
  const key = parsePublicKey(line)
  return key.kind === 'ssh-ed25519' ? ed25519Recipient(key, random) : rsaRecipient(key)
}

export interface SshIdentityOptions {
  /**
   * Asks for the passphrase of a protected key. Called for the first file that is encrypted for the key, and again after a
   * wrong passphrase, up to three times in all.
   */
  readonly askPassphrase?: (() => Promise<string>) | undefined
}

/**
 * An identity that opens files encrypted for an SSH key.
 * @param text the private key, as `ssh-keygen` writes it
 * @throws EncryptionError `bad_identity`
 */
export function sshIdentity(text: string, { askPassphrase }: SshIdentityOptions = {}): Identity {
  const file = readPrivateKey(text)
  if (!file.isProtected) return identityOf(file.open())
  if (askPassphrase === undefined)
    throw new EncryptionError(
      'bad_identity',
      'the private key has a passphrase, which cannot be asked for here',
    )
  return protectedIdentity(file, askPassphrase)
}

const identityOf = (key: SshPrivateKey): Identity =>
  key.kind === 'ssh-ed25519' ? ed25519Identity(key) : rsaIdentity(key)

const attempts = 3

/** An identity whose passphrase is asked for once, when a file is encrypted for its key. */
function protectedIdentity(
  { publicKey, open }: PrivateKeyFile,
  askPassphrase: () => Promise<string>,
): Identity {
  let openedIdentity: Promise<Identity> | undefined
  const ask = async () => {
    for (let count = 1; ; count += 1) {
      const passphrase = await askPassphrase()
      try {
        return identityOf(open(passphrase))
      } catch (error) {
        const isWrongPassphrase = error instanceof EncryptionError && error.code === 'wrong_passphrase'
        if (!isWrongPassphrase) throw error
        // Another passphrase of the file would not help.
        if (count === attempts) throw new EncryptionError('bad_identity', error.message, error)
      }
    }
  }
  const isForKey = ({ args }: Stanza) => args[0] === publicKey.kind && args[1] === keyTag(publicKey)
  return {
    unwrapFileKey: async (stanzas) => {
      if (!stanzas.some(isForKey)) return null
      openedIdentity ??= ask()
      return (await openedIdentity).unwrapFileKey(stanzas)
    },
  }
}
