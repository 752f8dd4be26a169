import type { Storage } from '@google-cloud/storage'
import { StoreUnavailableError } from '../backend/backend.ts'

/** An object, and how it is to be given away. */
export interface SignedObject {
  readonly endpoint: string
  readonly bucket: string
  readonly name: string
  /** Milliseconds since the epoch; whole seconds of it count. */
  readonly from: number
  /** Seconds. */
  readonly expiresIn: number
  readonly contentType: string
  readonly contentDisposition: string
}

/** @throws StoreUnavailableError */
export type SignAddress = (object: SignedObject) => Promise<string>

/**
 * Addresses of objects with a signature of version 4 in their query, which covers the two headers as well.
 * The package signs the name of the endpoint's host without its port: an endpoint at another port than the usual one
 * has to let that pass.
 */
export const addressSigner =
  (storage: () => Storage): SignAddress =>
  async ({ endpoint, bucket, name, from, expiresIn, contentType, contentDisposition }) => {
    const accessibleAt = Math.floor(from / 1000) * 1000
    try {
      const [address] = await storage()
        .bucket(bucket)
        .file(name)
        .getSignedUrl({
          version: 'v4',
          action: 'read',
          host: endpoint,
          accessibleAt,
          expires: accessibleAt + expiresIn * 1000,
          responseType: contentType,
          responseDisposition: contentDisposition,
        })
      return address
    } catch (cause) {
      throw new StoreUnavailableError('an address of Google Cloud Storage cannot be signed', { cause })
    }
  }

/** Whether the credentials have a key of their own. Others can only ask Google for each signature, which is not done. */
export async function hasPrivateKey({ authClient }: Storage): Promise<boolean> {
  try {
    const client = await authClient.getClient()
    return 'key' in client && typeof client.key === 'string' && client.key !== ''
  } catch {
    // What is wrong with them is told when they are used.
    return false
  }
}
