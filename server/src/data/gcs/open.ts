import type { Clock } from '../../domain/clock.ts'
import type { ByteRange, DataBackend, DirectAddressOptions } from '../backend.ts'
import { gcsCalls, type GcsCalls } from './calls.ts'
import { gcsCredentials } from './credentials.ts'
import { gcsUpload, removeObject } from './upload.ts'
import { checkKey } from '../key.ts'
import { partMemory } from '../network/part-memory.ts'
import { usualShared, type NetworkStoreTuning } from '../network/tuning.ts'
import { patient, persist, type Patience } from '../network/patience.ts'
import { readOverHttp } from '../network/read-over-http.ts'
import { storeClient } from '../network/client.ts'
import { expectStatus, missing, refusalOf } from '../network/refusal.ts'
import { writeOneByOne } from '../network/write-one-by-one.ts'

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

/**
 * Data in a bucket of Google Cloud Storage, by its JSON API. From Google's own package come the credentials only:
 * its uploads end the process when a retry fails, its reads when a retried answer comes, and neither cancels the
 * session of an upload that is given up.
 * @throws StoreUnavailableError when the bucket cannot be used
 */
export async function gcsBackend(
  options: GcsBackendOptions,
  clock: Clock,
  { patience = patient, silence, shared = usualShared }: NetworkStoreTuning = {},
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
    memory: partMemory({ size: chunkSize, shared }),
    size: chunkSize,
    least: () => leastChunk,
  }
  const ping = async (signal?: AbortSignal) => {
    await expectStatus(`the bucket ${options.bucket}`, await calls.probe(signal), 200)
  }
  await persist(() => ping(), patience)

  return {
    async add(key, source, signal) {
      const writer = gcsUpload(calls, nameOf(key), patience)
      await writeOneByOne(source, signal, sizes, writer)
    },
    async get(key, range) {
      return read(calls, { key, name: nameOf(key) }, range, patience)
    },
    async remove(key) {
      await removeObject(calls, nameOf(key), patience)
    },
    ping,
    ...(sign && {
      directAddress: (key: string, { expiresIn, contentType, contentDisposition }: DirectAddressOptions) =>
        sign({ ...place, name: nameOf(key), from: clock.now(), expiresIn, contentType, contentDisposition }),
    }),
  }
}

async function read(
  calls: GcsCalls,
  { key, name }: { readonly key: string; readonly name: string },
  range: ByteRange | undefined,
  patience: Patience,
): Promise<AsyncIterable<Uint8Array>> {
  let generation: string | undefined
  const ask = async (part?: ByteRange) => {
    const answer = await calls.read(name, part, generation)
    if (answer.status === 404) {
      answer.cut()
      throw missing(key)
    }
    if (![200, 206, 416].includes(answer.status)) throw await refusalOf(`the object ${name}`, answer)
    generation ??= answer.headers['x-goog-generation']?.toString()
    return answer
  }
  return readOverHttp({ ask, range, patience })
}
