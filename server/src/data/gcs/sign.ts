import type { Storage } from '@google-cloud/storage'
import { StoreUnavailableError } from '../backend/backend.ts'

/** An object, with the lifetime and response headers of its URL. */
export interface SignedObject {
  readonly endpoint: string
  readonly bucket: string
  readonly name: string
  /** Milliseconds since the epoch, rounded down to seconds. */
  readonly from: number
  /** Seconds. */
  readonly expiresIn: number
  readonly contentType: string
  readonly contentDisposition: string
}

/** @throws StoreUnavailableError */
export type SignURL = (object: SignedObject) => Promise<string>

/**
 * URLs of objects with a V4 signature in their query, which covers the two response headers as well. The package signs the
 * host of the endpoint without its port, which an endpoint with a non-default port has to accept.
 */
export const urlSigner =
  (storage: () => Storage): SignURL =>
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
      throw new StoreUnavailableError('a URL of Google Cloud Storage cannot be signed', { cause })
    }
  }

/** Whether the credentials contain a private key. Others would need a request to Google for each signature. */
export async function hasPrivateKey({ authClient }: Storage): Promise<boolean> {
  try {
    const client = await authClient.getClient()
    return 'key' in client && typeof client.key === 'string' && client.key !== ''
  } catch {
    // The first use of the credentials reports the error.
    return false
  }
}
