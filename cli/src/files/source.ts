import type { BigIntStats } from 'node:fs'
import { open, stat, type FileHandle } from 'node:fs/promises'
import type { FillingSource } from '@svc/encryption'
import type { SeekableSource, StreamSource } from '@svc/sdk'
import { Failure, localFailure } from '../errors/failure.ts'
import { errorMessage } from '../errors/error-message.ts'
import type { RateLimit } from '../transfer/rate-limit.ts'
import type { FileItem, Item, Location, StreamItem } from './item.ts'

/** A file, whose parts can be read again. */
export interface FileSource extends SeekableSource {
  /** The chunks of `between`, in the form that a source needs. */
  readonly filling: (start: number, end: number) => FillingSource
}

/** An item whose bytes are being read. */
export interface OpenSource {
  readonly source: FileSource | StreamSource
  /**
   * Checks after the last byte that the file did not change while it was read.
   * @throws Failure
   */
  readonly check: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface ReadOptions {
  readonly rateLimit: RateLimit
  readonly signal: AbortSignal
}

const bufferBytes = 256 * 1024
/** When the next buffer is requested, the previous one is still in use; older ones are overwritten. */
const bufferCount = 2

/** @throws Failure when the file cannot be read */
export async function openSource(item: Item, reading: ReadOptions): Promise<OpenSource> {
  return item.kind === 'stream' ? streamSource(item, reading) : fileSource(item, reading)
}

const changed = (item: FileItem) => localFailure(`${item.path} changed during the upload`)

async function fileSource(item: FileItem, reading: ReadOptions): Promise<OpenSource> {
  let file: FileHandle
  try {
    file = await open(item.location)
  } catch (error) {
    throw localFailure(`${item.path}: ${errorMessage(error)}`, error)
  }
  const check = async () => {
    // By now the name may belong to another file, which users regard as the file.
    const named = await found(item.location)
    // No program can set this time: one call less for each of thousands of small files.
    if (named !== undefined && isUnchanged(item, named)) return
    const own = await file.stat({ bigint: true })
    const same = Number(own.size) === item.size && own.mtimeNs === item.changedAt && named?.ino === own.ino
    if (!same) throw changed(item)
  }
  const filling = (start: number, end: number) => rangeOf(item, file, { ...reading, start, end })
  return {
    source: {
      size: item.size,
      between: (start, end) => buffersOf(filling(start, end), Math.min(bufferBytes, end - start)),
      filling,
    },
    check,
    close: () => file.close(),
  }
}

const isUnchanged = (item: FileItem, { size, mtimeNs, ctimeNs }: BigIntStats): boolean =>
  Number(size) === item.size && mtimeNs === item.changedAt && ctimeNs === item.statusChangedAt

const found = (location: Location) => stat(location, { bigint: true }).catch(() => undefined)

/** @throws Failure when the file has become shorter or cannot be read; the signal's reason */
function rangeOf(
  item: FileItem,
  file: FileHandle,
  { rateLimit, signal, start, end }: ReadOptions & { readonly start: number; readonly end: number },
): FillingSource {
  let position = start
  return {
    fill: async (into) => {
      const wanted = into.subarray(0, end - position)
      if (wanted.length === 0) return 0
      const { bytesRead } = await read(item, file, wanted, position)
      // The file has become shorter: the missing bytes will never arrive.
      if (bytesRead === 0) throw changed(item)
      await rateLimit(bytesRead, signal)
      position += bytesRead
      return bytesRead
    },
  }
}

async function* buffersOf({ fill }: FillingSource, size: number): AsyncGenerator<Uint8Array> {
  // New memory for each buffer would be half a gigabyte of garbage per second.
  const memory = new Uint8Array(size * bufferCount)
  for (let place = 0; ; place = (place + size) % memory.length) {
    const piece = memory.subarray(place, place + size)
    const filled = await fill(piece)
    if (filled === 0) return
    yield piece.subarray(0, filled)
  }
}

async function read(item: FileItem, file: FileHandle, into: Uint8Array, position: number) {
  try {
    return await file.read(into, 0, into.length, position)
  } catch (error) {
    throw localFailure(`${item.path}: ${errorMessage(error)}`, error)
  }
}

function streamSource(item: StreamItem, { rateLimit, signal }: ReadOptions): OpenSource {
  const stream = item.open()
  const chunks = async function* (): AsyncGenerator<Buffer> {
    const stop = () => {
      stream.destroy()
    }
    signal.addEventListener('abort', stop, { once: true })
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        await rateLimit(chunk.length, signal)
        yield chunk
      }
      signal.throwIfAborted()
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof Failure ? error : localFailure(`${item.name}: ${errorMessage(error)}`, error)
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }
  return {
    source: { chunks: chunks() },
    check: () => {
      item.check?.()
      return Promise.resolve()
    },
    close: () => {
      stream.destroy()
      return Promise.resolve()
    },
  }
}
