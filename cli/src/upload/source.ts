import { open, stat, type FileHandle } from 'node:fs/promises'
import type { SeekableSource, StreamSource } from '@svc/sdk'
import { Failure, localFailure } from '../failure.ts'
import { reasonOf } from '../output/reasons.ts'
import type { Limit } from '../server/limit-rate.ts'
import type { FileItem, Item, StreamItem } from './item.ts'

/** An item whose bytes are being read. */
export interface OpenSource {
  readonly source: SeekableSource | StreamSource
  /**
   * To be asked when all bytes have gone: whether they are those of one state of the file.
   * @throws Failure
   */
  readonly check: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface Reading {
  readonly limit: Limit
  readonly signal: AbortSignal
  /** Pieces of a file that are kept: when the next is asked for, those before are overwritten. */
  readonly kept: 0 | 1
}

const pieceBytes = 256 * 1024

/** @throws Failure when the file cannot be read */
export async function openSource(item: Item, reading: Reading): Promise<OpenSource> {
  return item.kind === 'stream' ? streamSource(item, reading) : fileSource(item, reading)
}

const changed = (item: FileItem) => localFailure(`${item.path} changed while it was sent`)

async function fileSource(item: FileItem, reading: Reading): Promise<OpenSource> {
  let file: FileHandle
  try {
    file = await open(item.path)
  } catch (error) {
    throw localFailure(`${item.path}: ${reasonOf(error)}`, error)
  }
  const check = async () => {
    // The name may belong to another file by now, which is what its owner sees as the file.
    const [own, named] = await Promise.all([file.stat({ bigint: true }), found(item.path)])
    const same = Number(own.size) === item.size && own.mtimeNs === item.changedAt && named?.ino === own.ino
    if (!same) throw changed(item)
  }
  return {
    source: { size: item.size, between: (start, end) => piecesOf(item, file, { ...reading, start, end }) },
    check,
    close: () => file.close(),
  }
}

const found = (path: string) => stat(path, { bigint: true }).catch(() => undefined)

async function* piecesOf(
  item: FileItem,
  file: FileHandle,
  { limit, signal, kept, start, end }: Reading & { readonly start: number; readonly end: number },
): AsyncGenerator<Buffer> {
  // Memory of its own for each piece would be half a gigabyte of garbage a second.
  const largest = Math.min(pieceBytes, end - start)
  const memory = Buffer.allocUnsafeSlow(largest * (kept + 1))
  let place = 0
  for (let position = start; position < end;) {
    const buffer = memory.subarray(place, place + Math.min(largest, end - position))
    place = (place + largest) % memory.length
    const { bytesRead } = await read(item, file, buffer, position)
    // Shorter than it was: what is missing would never come.
    if (bytesRead === 0) throw changed(item)
    await limit(bytesRead, signal)
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function read(item: FileItem, file: FileHandle, buffer: Buffer, position: number) {
  try {
    return await file.read(buffer, 0, buffer.length, position)
  } catch (error) {
    throw localFailure(`${item.path}: ${reasonOf(error)}`, error)
  }
}

function streamSource(item: StreamItem, { limit, signal }: Reading): OpenSource {
  const stream = item.open()
  const chunks = async function* (): AsyncGenerator<Buffer> {
    const stop = () => {
      stream.destroy()
    }
    signal.addEventListener('abort', stop, { once: true })
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        await limit(chunk.length, signal)
        yield chunk
      }
      signal.throwIfAborted()
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof Failure ? error : localFailure(`${item.name}: ${reasonOf(error)}`, error)
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
