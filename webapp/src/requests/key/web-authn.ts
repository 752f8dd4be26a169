import { fromBase64url, type PrfValues } from '@svc/encryption/passkey'
import { PasskeyError } from './passkey-error.ts'

/** A passkey that the user has confirmed, with its outputs. */
export interface UsedPasskey {
  /** Id of its credential, in base64url. */
  readonly credential: string
  readonly outputs: PrfValues
}

/** ms for the user to find a phone or a security key. */
const timeout = 180_000

/** Ed25519, ECDSA and RSA. Signatures are not used, so each will do. */
const algorithms = [-8, -7, -257]

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))

/** @throws PasskeyError */
async function requestCredential(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await ask()
    if (credential instanceof PublicKeyCredential) return credential
  } catch (error) {
    throw new PasskeyError(codeOf(error), error)
  }
  throw new PasskeyError('cancelled')
}

function codeOf(error: unknown) {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'SecurityError') return 'insecure'
  if (name === 'NotSupportedError' || name === 'ConstraintError') return 'no_prf'
  if (['NotAllowedError', 'AbortError', 'InvalidStateError', 'TimeoutError'].includes(name))
    return 'cancelled'
  throw error
}

/** The output as bytes. Some password managers return an array of numbers. */
function bytesOf(output: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (output instanceof ArrayBuffer) return new Uint8Array(output)
  if (ArrayBuffer.isView(output))
    return new Uint8Array(output.buffer, output.byteOffset, output.byteLength).slice()
  return Array.isArray(output) ? Uint8Array.from(output as number[]) : undefined
}

function outputsOf(credential: PublicKeyCredential): PrfValues | undefined {
  const { results } = credential.getClientExtensionResults().prf ?? {}
  const first = bytesOf(results?.first)
  const second = bytesOf(results?.second)
  return first?.length === 32 && second?.length === 32 ? { first, second } : undefined
}

/**
 * Creates a passkey.
 * @param name of the user, for the list of passkeys of the device
 * @returns outputs only where the device computes them at once; otherwise `usePasskey` gets them
 * @throws PasskeyError `cancelled`, `insecure`, `no_prf`
 */
export async function createPasskey(
  name: string,
  inputs: PrfValues,
): Promise<Omit<UsedPasskey, 'outputs'> & { readonly outputs: PrfValues | undefined }> {
  const publicKey: PublicKeyCredentialCreationOptions = {
    rp: { name: location.hostname },
    // Another id for each passkey: a device replaces the passkey of the same user.
    user: { id: random(16), name, displayName: name },
    challenge: random(32),
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    extensions: { prf: { eval: inputs } },
    timeout,
  }
  const created = await requestCredential(() => navigator.credentials.create({ publicKey }))
  const outputs = outputsOf(created)
  if (outputs === undefined && created.getClientExtensionResults().prf?.enabled !== true)
    throw new PasskeyError('no_prf')
  return { credential: created.id, outputs }
}

/**
 * Asks for one of several passkeys.
 * @param passkeys with the inputs of each
 * @throws PasskeyError `cancelled`, `insecure`, `no_prf`
 */
export async function usePasskey(
  passkeys: readonly { readonly credential: string; readonly inputs: PrfValues }[],
): Promise<UsedPasskey> {
  const [only, ...others] = passkeys
  const prf: AuthenticationExtensionsPRFInputs =
    only !== undefined && others.every(({ inputs }) => inputs === only.inputs)
      ? { eval: only.inputs }
      : {
          evalByCredential: Object.fromEntries(
            passkeys.map(({ credential, inputs }) => [credential, inputs]),
          ),
        }
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge: random(32),
    allowCredentials: passkeys.flatMap(({ credential }) => {
      const id = fromBase64url(credential)
      return id === undefined ? [] : [{ type: 'public-key', id }]
    }),
    // Without it, the outputs are those of another function.
    userVerification: 'required',
    extensions: { prf },
    timeout,
  }
  const used = await requestCredential(() => navigator.credentials.get({ publicKey }))
  const outputs = outputsOf(used)
  if (outputs === undefined) throw new PasskeyError('no_prf')
  return { credential: used.id, outputs }
}
