import type { Writable } from 'node:stream'
import type { RandomReader } from '../data/backend.ts'
import type { BufferPool } from './buffer-pool.ts'

// A first, slow version with the final interface; the fast one takes its place.
export type Segment =
  | { readonly bytes: Uint8Array }
  | { readonly reader: () => Promise<RandomReader>; readonly start: number; readonly length: number }
  | { readonly source: () => Promise<AsyncIterable<Uint8Array>>; readonly length: number }

export interface SendOptions {
  readonly buffers: BufferPool
  readonly beforeLast?: () => Promise<void>
  readonly onProgress?: (flushed: number) => void
}

export class SendAborted extends Error {
  override readonly name = 'SendAborted'
}

async function* chunks(segments: Iterable<Segment>): AsyncIterable<Uint8Array> {
  for (const segment of segments) {
    if ('bytes' in segment) yield segment.bytes
    else if ('source' in segment) yield* await segment.source()
    else {
      const reader = await segment.reader()
      for (let at = 0; at < segment.length; ) {
        const buffer = Buffer.allocUnsafe(Math.min(65536, segment.length - at))
        const n = await reader.read(buffer, segment.start + at)
        if (n === 0) throw new Error('short file')
        at += n
        yield buffer.subarray(0, n)
      }
      await reader.close()
    }
  }
}

export async function sendSegments(segments: Iterable<Segment>, to: Writable, options: SendOptions): Promise<void> {
  let flushed = 0
  let last: Uint8Array | undefined
  const write = (chunk: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      if (to.destroyed) reject(new SendAborted('closed'))
      to.once('close', () => reject(new SendAborted('closed')))
      to.write(chunk, (error) => {
        if (error) reject(new SendAborted('closed', { cause: error }))
        else {
          flushed += chunk.length
          options.onProgress?.(flushed)
          resolve()
        }
      })
    })
  try {
    for await (const chunk of chunks(segments)) {
      if (last) await write(last)
      last = chunk
    }
    await options.beforeLast?.()
    if (last) await write(last)
    await new Promise<void>((resolve) => to.end(resolve))
  } catch (error) {
    to.destroy()
    throw error
  }
}
