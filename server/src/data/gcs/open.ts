import type { DataBackend, PresignedURLOptions } from '../backend/backend.ts'
import { gcsCalls } from './calls.ts'
import { gcsCredentials } from './credentials.ts'
import { gcsParts, maxComposeSources } from './part-store.ts'
import { gcsInventory } from './inventory.ts'
import { readObject } from './read.ts'
import { gcsUpload } from './upload.ts'
import { checkKey } from '../backend/key.ts'
import { partBufferPool } from '../network/part-buffer-pool.ts'
import { partMemory } from '../network/part-memory.ts'
import { defaultSharedBytes, type NetworkStoreTuning, type StoreDependencies } from '../network/tuning.ts'
import { defaultRetryPolicy, withRetries } from '../network/retry-policy.ts'
import { maxParts } from '../network/parts/part-list.ts'
import { resumableParts } from '../network/parts/resumable-parts.ts'
import { storeClient } from '../network/client.ts'
import { writePartsSequentially } from '../network/sequential-part-writer.ts'
import { mebibyte } from '../../domain/sizes.ts'

export interface GcsBackendOptions {
  readonly bucket: string
  /** Before the name of every object, such as `svc/`. */
  readonly prefix: string
  /** Path of a file with credentials; empty: application default credentials. */
  readonly keyFile: string
  /** Address of the service; empty: Google's. */
  readonly endpoint: string
}

/** The chunk size that Google recommends. */
const chunkSize = 8 * mebibyte

/** Google accepts only multiples of this size. */
const minChunkSize = mebibyte / 4

/** The largest object: 5 TiB. */
const maxObjectSize = 5 * 1024 ** 4

/**
 * Stores data in a bucket of Google Cloud Storage through its JSON API. Google's package provides only the credentials: its
 * uploads crash the process when a retry fails, its reads when a retried response arrives, and it does not cancel the
 * session of an aborted upload.
 * @throws StoreUnavailableError when the bucket cannot be used
 */
export async function gcsBackend(
  options: GcsBackendOptions,
  { clock, random }: StoreDependencies,
  {
    retryPolicy = defaultRetryPolicy,
    idleTimeout,
    sharedBytes: shared = defaultSharedBytes,
    memory = partMemory(),
    mergeCount = maxComposeSources,
  }: NetworkStoreTuning = {},
): Promise<DataBackend> {
  const place = {
    bucket: options.bucket,
    endpoint: options.endpoint === '' ? 'https://storage.googleapis.com' : options.endpoint,
  }
  const client = storeClient(idleTimeout === undefined ? {} : { idleTimeout })
  const credentials = await gcsCredentials(options)
  const { signURL: sign } = credentials
  const calls = gcsCalls(client, credentials, place)
  const nameOf = (key: string) => {
    checkKey(key)
    return options.prefix + key
  }
  const sizes = {
    pool: partBufferPool({ size: chunkSize, shared, memory }),
    size: chunkSize,
    min: () => minChunkSize,
  }
  await withRetries(() => calls.requireBucket(), retryPolicy)
  const store = gcsParts(calls, options.prefix, retryPolicy)

  return {
    async add(key, source, signal, sender) {
      const writer = gcsUpload(calls, nameOf(key), retryPolicy)
      await writePartsSequentially(source, signal, { ...sizes, sender }, writer)
    },
    async get(key, range) {
      return readObject(calls, { key, name: nameOf(key) }, range, retryPolicy)
    },
    async remove(key) {
      checkKey(key)
      await store.removeAll(key)
    },
    ping: (signal) => calls.requireBucket(signal),
    inventory: gcsInventory(calls, { prefix: options.prefix, retryPolicy, parts: store }),
    ...(sign === undefined
      ? {
          noPresignedURL:
            'these credentials of Google Cloud Storage cannot sign, only the key file of a service account can (KeyFile)',
        }
      : {
          presignedURL: (key: string, { expiresIn, contentType, contentDisposition }: PresignedURLOptions) =>
            sign({
              ...place,
              name: nameOf(key),
              from: clock.now(),
              expiresIn,
              contentType,
              contentDisposition,
            }),
        }),
    resumable: resumableParts({
      store,
      sizes,
      clock,
      random,
      retryPolicy,
      merging: { count: mergeCount, maxSize: maxObjectSize, maxParts },
    }),
  }
}
