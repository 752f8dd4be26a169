import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { localFailure } from '../errors/failure.ts'
import { errorMessage } from '../errors/error-message.ts'
import type { Algorithm } from './checksum.ts'
import { hashFile } from './hash-file.ts'
import { openOwnFile } from './local-file.ts'

/** The target of the bytes of a download. */
export interface Sink {
  /** Number of written bytes. */
  position(): number
  /**
   * Writes the next bytes. The caller may reuse them once it resolves.
   * @throws Failure
   */
  write(chunks: readonly Uint8Array[]): Promise<void>
  /** Hash of all bytes, in hexadecimal digits; empty if hashing is off. */
  digest(): Promise<string>
  close(): Promise<void>
}

export interface FileSinkOptions {
  /** Bytes that are expected. */
  readonly size: number
  /** Whether bytes that are already there are kept. */
  readonly resume: boolean
  /** The hash that is computed; undefined for none. */
  readonly algorithm: Algorithm | undefined
}

/**
 * A file that grows.
 * @throws Failure
 */
export async function fileSink(path: string, options: FileSinkOptions): Promise<Sink> {
  const { size, resume, algorithm } = options
  const failed = (error: unknown) => localFailure(`${path}: ${errorMessage(error)}`, error)
  const file = await openOwnFile(path)
  const found = (await file.stat()).size
  let position = resume && found <= size ? found : 0
  // Only if there are bytes to remove: some systems write a truncated file to the disk when it is closed, and
  // a large one then takes a third longer.
  if (found !== position) await file.truncate(position)
  const hashing = algorithm === undefined ? undefined : hashFile(path, algorithm, { size, found: position })
  return {
    position: () => position,
    async write(chunks) {
      try {
        for (let left = chunks; left.length > 0;) {
          const { bytesWritten } = await file.writev(left, position)
          position += bytesWritten
          left = after(left, bytesWritten)
        }
      } catch (error) {
        throw failed(error)
      }
      hashing?.written(chunks, position)
    },
    digest: async () => hashing?.digest() ?? '',
    async close() {
      await hashing?.end()
      await file.close()
    },
  }
}

/** The rest of the chunks after a partial write. */
function after(chunks: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let skipped = bytes
  return chunks.flatMap((chunk) => {
    const skip = Math.min(skipped, chunk.length)
    skipped -= skip
    return skip === chunk.length ? [] : [chunk.subarray(skip)]
  })
}

/**
 * Writes bytes to standard output. They are written when it resolves.
 * @throws Failure
 */
export const writeOut = (output: Writable, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    output.write(bytes, (error) => {
      if (error) reject(localFailure(`standard output: ${errorMessage(error)}`, error))
      else resolve()
    })
  })

/**
 * A sink that forwards bytes at once.
 * @param pass processes a chunk until it resolves
 */
export function passThroughSink(
  pass: (chunk: Uint8Array) => Promise<unknown>,
  algorithm: Algorithm | undefined,
): Sink {
  const hash = algorithm === undefined ? undefined : createHash(algorithm)
  let position = 0
  return {
    position: () => position,
    async write(chunks) {
      for (const chunk of chunks) {
        hash?.update(chunk)
        position += chunk.length
        await pass(chunk)
      }
    },
    digest: () => Promise.resolve(hash?.digest('hex') ?? ''),
    close: () => Promise.resolve(),
  }
}
