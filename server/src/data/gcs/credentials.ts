import type { Storage } from '@google-cloud/storage'
import { StoreUnavailableError } from '../backend/backend.ts'
import { checkKeyFile } from './check-key-file.ts'
import { urlSigner, hasPrivateKey, type SignURL } from './sign.ts'

export interface GcsCredentialsOptions {
  /** Path of a JSON file with credentials of any of Google's types; empty: application default credentials. */
  readonly keyFile: string
  readonly endpoint: string
}

/** Credentials of Google Cloud Storage. */
export interface GcsCredentials {
  /**
   * Authentication headers of a request.
   * @throws StoreUnavailableError when no token is available
   */
  readonly headers: () => Promise<Readonly<Record<string, string>>>
  /** Discards a token that Google rejected before it expired. */
  readonly refresh: () => void
  /** Signs locally; only with a private key, as in the key file of a service account. */
  readonly signURL?: SignURL
}

/**
 * Google's package supports all types of credentials. It is imported only when it is needed.
 * @throws when the key file is unusable
 */
export async function gcsCredentials(options: GcsCredentialsOptions): Promise<GcsCredentials> {
  if (isAnonymous(options)) return anonymous
  if (options.keyFile !== '') await checkKeyFile(options.keyFile)
  const google = await import('@google-cloud/storage')
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- `keyFilename` is deprecated because a file from a stranger is a risk: this one is the operator's
  const open = () => new google.Storage({ ...(options.keyFile !== '' && { keyFilename: options.keyFile }) })
  let storage: Storage = open()
  const sign = urlSigner(() => storage)
  return {
    ...((await hasPrivateKey(storage)) && { signURL: sign }),
    async headers() {
      try {
        const headers = await storage.authClient.getRequestHeaders()
        return Object.fromEntries(headers.entries())
      } catch (cause) {
        throw new StoreUnavailableError('no token for Google Cloud Storage is available', { cause })
      }
    },
    refresh() {
      storage = open()
    },
  }
}

/** A server over plain HTTP is a test server, which gets no Google token unless a key file is configured. */
const isAnonymous = ({ keyFile, endpoint }: GcsCredentialsOptions) =>
  keyFile === '' && endpoint.startsWith('http:')

const anonymous: GcsCredentials = {
  headers: () => Promise.resolve({}),
  refresh: () => undefined,
}
