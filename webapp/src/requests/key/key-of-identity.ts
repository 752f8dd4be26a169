import { fingerprintOf } from '../../encryption/fingerprint.ts'
import { recipientOf } from '../../encryption/recipient-of.ts'
import type { RequestKey } from '../store/own-request.ts'

/** The key of a request with this private key. */
export async function keyOfIdentity(identity: string): Promise<RequestKey> {
  const recipient = await recipientOf(identity)
  return { identity, recipient, fingerprint: await fingerprintOf(recipient) }
}
