import type { Clock } from '../../domain/clock.ts'
import type { ByteRange, DataBackend } from '../backend.ts'
import { checkKey } from '../key.ts'
import { partMemory } from '../network/part-memory.ts'
import { usualShared, type NetworkStoreTuning } from '../network/tuning.ts'
import { patient, persist, type Patience } from '../network/patience.ts'
import { readOverHttp } from '../network/read-over-http.ts'
import { storeClient, type StoreAnswer } from '../network/client.ts'
import { expectStatus, missing, refusalOf } from '../network/refusal.ts'
import { swiftCalls, type SwiftCalls } from './calls.ts'
import { swiftLimits } from './limits.ts'
import type { SwiftCredentials } from './access.ts'
import { swiftSession } from './session.ts'
import { removeAll, swiftUpload } from './upload.ts'
import { writeOneByOne } from '../network/write-one-by-one.ts'

export interface SwiftBackendOptions extends SwiftCredentials {
  /** Made when it does not exist. */
  readonly container: string
  /** Most bytes of a segment of a large object. */
  readonly segmentSize: number
}

const mebibyte = 1024 * 1024

/**
 * Data in a container of OpenStack Swift, or of what speaks its API. There is no well kept client of it for Node.
 * @throws StoreUnavailableError when the container can neither be used nor made
 */
export async function swiftBackend(
  options: SwiftBackendOptions,
  clock: Clock,
  { patience = patient, silence, shared = usualShared }: NetworkStoreTuning = {},
): Promise<DataBackend> {
  const { container } = options
  const client = storeClient(silence === undefined ? {} : { silence })
  const calls = swiftCalls(client, swiftSession(client, options, clock), container)
  await persist(() => ensureContainer(calls, container), patience)
  const limits = await persist(() => swiftLimits(calls), patience)
  const size = Math.min(options.segmentSize, limits.objectSize)
  const sizes = {
    memory: partMemory({ size, shared }),
    size,
    // However short memory is, only half of the segments are small: a file of the other half can always be stored.
    least: (number: number) => (number <= limits.segments / 2 ? Math.min(size, mebibyte) : size),
  }

  return {
    async add(key, source, signal) {
      checkKey(key)
      const writer = swiftUpload(calls, key, { container, limits, patience })
      await writeOneByOne(source, signal, sizes, writer)
    },
    async get(key, range) {
      checkKey(key)
      return read(calls, key, range, patience)
    },
    async remove(key) {
      checkKey(key)
      await removeAll(calls, key, patience)
    },
    async ping(signal) {
      await expectStatus(`the container ${container}`, await calls.findContainer(signal), 200, 204)
    },
  }
}

/** Looks first: many may use a container who may not make one. */
async function ensureContainer(calls: SwiftCalls, container: string): Promise<void> {
  const found = await calls.findContainer()
  await expectStatus(`the container ${container}`, found, 200, 204, 404)
  if (found.status === 404)
    await expectStatus(`making the container ${container}`, await calls.makeContainer(), 201, 202, 204)
}

async function read(
  calls: SwiftCalls,
  key: string,
  range: ByteRange | undefined,
  patience: Patience,
): Promise<AsyncIterable<Uint8Array>> {
  let etag: string | undefined
  const ask = async (part?: ByteRange) => {
    const answer = await calls.get(key, part)
    // Compared here, not by If-Match: Ceph's gateway matches that of a large object with another one than it tells.
    if (answer.status === 404 || isOther(answer, etag)) {
      answer.cut()
      throw missing(key)
    }
    if (![200, 206, 416].includes(answer.status)) throw await refusalOf(`the object ${key}`, answer)
    if (answer.status !== 416) etag ??= answer.headers.etag
    return answer
  }
  return readOverHttp({ ask, range, patience })
}

/** Whether it is another object than that which was begun. */
const isOther = ({ status, headers }: StoreAnswer, etag: string | undefined) =>
  etag !== undefined && status < 300 && headers.etag !== etag
