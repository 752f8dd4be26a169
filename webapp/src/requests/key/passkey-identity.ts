import type { PasskeyIdentity } from '@svc/contract'
import { EncryptionError } from '@svc/encryption'
import { newPrfNonce, prfIdentity, prfInputs, prfNonceOf, prfRecipient } from '@svc/encryption/passkey'
import { unwrapIdentity, wrapIdentity } from './wrapped-identity.ts'
import { PasskeyError } from './passkey-error.ts'
import { createPasskey, usePasskey } from './web-authn.ts'

export interface PasskeyChoice {
  /** Credentials to use; none creates a passkey. */
  readonly known: readonly string[]
  /** Name of a passkey that is created. */
  readonly name: string
  /** Called with a passkey that was created, which the user may still refuse to use. */
  readonly onCreated: (credential: string) => void
}

/**
 * Encrypts the private key of a request for a passkey.
 * @throws PasskeyError
 */
export async function wrapForPasskey(
  identity: string,
  { known, name, onCreated }: PasskeyChoice,
): Promise<PasskeyIdentity> {
  const nonce = newPrfNonce()
  const inputs = prfInputs(nonce)
  const usePasskeyOf = async (credentials: readonly string[]) =>
    usePasskey(credentials.map((credential) => ({ credential, inputs })))
  const createAndUse = async () => {
    const { credential, outputs } = await createPasskey(name, inputs)
    onCreated(credential)
    return outputs === undefined ? usePasskeyOf([credential]) : { credential, outputs }
  }
  const { credential, outputs } = known.length > 0 ? await usePasskeyOf(known) : await createAndUse()
  const wrappedIdentity = await wrapIdentity(identity, { recipients: [prfRecipient(nonce, outputs)] })
  return { credential, wrappedIdentity }
}

/**
 * Opens a private key with one of the passkeys for which it is encrypted.
 * @returns the text of the key, and the passkey
 * @throws PasskeyError; EncryptionError for a damaged file
 */
export async function unwrapByPasskey(
  identities: readonly PasskeyIdentity[],
): Promise<{ readonly text: string; readonly credential: string }> {
  const { credential, outputs } = await usePasskey(
    identities.map((identity) => ({
      credential: identity.credential,
      inputs: prfInputs(prfNonceOf(identity.wrappedIdentity)),
    })),
  )
  const wrapped = identities.find((identity) => identity.credential === credential)?.wrappedIdentity
  if (wrapped === undefined) throw new PasskeyError('wrong_passkey')
  try {
    return { text: await unwrapIdentity(wrapped, { identities: [prfIdentity(outputs)] }), credential }
  } catch (error) {
    if (error instanceof EncryptionError && error.code === 'no_matching_identity')
      throw new PasskeyError('wrong_passkey', error)
    throw error
  }
}
