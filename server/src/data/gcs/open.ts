import type { DataBackend, DirectAddressOptions } from '../backend/backend.ts'
import { gcsCalls } from './calls.ts'
import { gcsCredentials } from './credentials.ts'
import { gcsPieces, mostComposed } from './pieces.ts'
import { gcsInventory } from './inventory.ts'
import { readObject } from './read.ts'
import { gcsUpload } from './upload.ts'
import { checkKey } from '../backend/key.ts'
import { partBufferPool } from '../network/part-buffer-pool.ts'
import { usualShared, type NetworkStoreTuning, type StoreSurroundings } from '../network/tuning.ts'
import { retryPolicy, persist } from '../network/retry-policy.ts'
import { mostPieces } from '../network/pieces/piece-list.ts'
import { resumablePieces } from '../network/pieces/resumable-pieces.ts'
import { storeClient } from '../network/client.ts'
import { expectStatus } from '../network/store-error.ts'
import { writePartsSequentially } from '../network/sequential-part-writer.ts'

export interface GcsBackendOptions {
  readonly bucket: string
  /** Before the name of every object, such as `svc/`. */
  readonly prefix: string
  /** Path of a file with credentials; empty: those of the surroundings. */
  readonly keyFile: string
  /** Address of the service; empty: Google's. */
  readonly endpoint: string
}

const mebibyte = 1024 * 1024

/** Google advises chunks of at least this. */
const chunkSize = 8 * mebibyte

/** Google refuses other chunks than multiples of it. */
const leastChunk = mebibyte / 4

/** Google takes no larger object: 5 TiB. */
const mostBytes = 5 * 1024 ** 4

/**
 * Data in a bucket of Google Cloud Storage, by its JSON API. From Google's own package come the credentials only:
 * its uploads end the process when a retry fails, its reads when a retried answer comes, and neither cancels the
 * session of an upload that is given up.
 * @throws StoreUnavailableError when the bucket cannot be used
 */
export async function gcsBackend(
  options: GcsBackendOptions,
  { clock, random }: StoreSurroundings,
  { patience = retryPolicy, silence, shared = usualShared, run = mostComposed }: NetworkStoreTuning = {},
): Promise<DataBackend> {
  const place = {
    bucket: options.bucket,
    endpoint: options.endpoint === '' ? 'https://storage.googleapis.com' : options.endpoint,
  }
  const client = storeClient(silence === undefined ? {} : { silence })
  const credentials = await gcsCredentials(options)
  const { sign } = credentials
  const calls = gcsCalls(client, credentials, place)
  const nameOf = (key: string) => {
    checkKey(key)
    return options.prefix + key
  }
  const sizes = {
    memory: partBufferPool({ size: chunkSize, shared }),
    size: chunkSize,
    least: () => leastChunk,
  }
  const ping = async (signal?: AbortSignal) => {
    await expectStatus(`the bucket ${options.bucket}`, await calls.probe(signal), 200)
  }
  await persist(() => ping(), patience)
  const store = gcsPieces(calls, options.prefix, patience)

  return {
    async add(key, source, signal) {
      const writer = gcsUpload(calls, nameOf(key), patience)
      await writePartsSequentially(source, signal, sizes, writer)
    },
    async get(key, range) {
      return readObject(calls, { key, name: nameOf(key) }, range, patience)
    },
    async remove(key) {
      checkKey(key)
      await store.removeAll(key)
    },
    ping,
    inventory: gcsInventory(calls, { prefix: options.prefix, patience, pieces: store }),
    ...(sign && {
      directAddress: (key: string, { expiresIn, contentType, contentDisposition }: DirectAddressOptions) =>
        sign({ ...place, name: nameOf(key), from: clock.now(), expiresIn, contentType, contentDisposition }),
    }),
    resumable: resumablePieces({
      ...{ store, sizes, clock, random, patience },
      merging: { run, size: mostBytes, limit: mostPieces },
    }),
  }
}
