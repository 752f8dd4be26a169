import type { Storage } from '@google-cloud/storage'
import { StoreUnavailableError } from '../backend/backend.ts'
import { addressSigner, hasPrivateKey, type SignAddress } from './sign.ts'

export interface GcsCredentialsOptions {
  /** Path of a JSON file with credentials of any of Google's kinds; empty: those of the surroundings. */
  readonly keyFile: string
  readonly endpoint: string
}

/** What lets us in. */
export interface GcsCredentials {
  /** Headers of a request. @throws StoreUnavailableError when no token can be had now */
  readonly headers: () => Promise<Readonly<Record<string, string>>>
  /** The token of the last headers was refused before its time. */
  readonly renew: () => void
  /** Signs without asking anybody: only where there is a private key, as in the key file of a service account. */
  readonly sign?: SignAddress
}

/** Only Google's package knows all of Google's ways to get a token, so it is loaded for that, and only then. */
export async function gcsCredentials(options: GcsCredentialsOptions): Promise<GcsCredentials> {
  if (isAnonymous(options)) return nobody
  const google = await import('@google-cloud/storage')
  const open = () => new google.Storage({ ...(options.keyFile !== '' && { keyFilename: options.keyFile }) })
  let storage: Storage = open()
  const sign = addressSigner(() => storage)
  return {
    ...((await hasPrivateKey(storage)) && { sign }),
    async headers() {
      try {
        const headers = await storage.authClient.getRequestHeaders()
        return Object.fromEntries(headers.entries())
      } catch (cause) {
        throw new StoreUnavailableError('no token for Google Cloud Storage can be had', { cause })
      }
    },
    renew() {
      storage = open()
    },
  }
}

/** A server over plain HTTP is one for tests: no token of Google's is sent to it unless a key file is given. */
const isAnonymous = ({ keyFile, endpoint }: GcsCredentialsOptions) =>
  keyFile === '' && endpoint.startsWith('http:')

const nobody: GcsCredentials = {
  headers: () => Promise.resolve({}),
  renew: () => undefined,
}
