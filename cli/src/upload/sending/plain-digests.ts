import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { StreamSource } from '@svc/sdk'
import { errorMessage } from '../../errors/error-message.ts'
import { localFailure } from '../../errors/failure.ts'
import { hashContent } from '../../files/hash-file.ts'
import type { FileItem, Item, StreamItem } from '../../files/item.ts'
import type { FileSource } from '../../files/source.ts'

/** The content of an item before encryption. */
export interface PlainDigest {
  /** Bytes. */
  readonly size: number
  /** In hexadecimal digits. */
  readonly sha256: string
}

/** Hashes the contents that an upload sends. */
export interface PlainDigests {
  /**
   * Hashes what is read of a stream. A file is hashed at the same time, not from this source, because earlier runs may have sent
   * a part of it.
   */
  readonly watch: <Source extends FileSource | StreamSource>(item: Item, source: Source) => Source
  /**
   * The digest of an item that was sent.
   * @throws Failure when the file has changed
   */
  readonly digestOf: (item: Item) => Promise<PlainDigest>
}

/** @param signal ends the threads that hash */
export function createPlainDigests(signal: AbortSignal): PlainDigests {
  const digests = new Map<Item, Promise<PlainDigest>>()
  const digestOf = (item: FileItem) => {
    const begun = digests.get(item)
    if (begun !== undefined) return begun
    const digest = hashItem(item, signal)
    // The manifest reports the error.
    digest.catch(() => undefined)
    digests.set(item, digest)
    return digest
  }
  const stream = (item: StreamItem, source: StreamSource): StreamSource => {
    const { promise, resolve } = Promise.withResolvers<PlainDigest>()
    digests.set(item, promise)
    return { ...source, chunks: hashing(source.chunks, resolve) }
  }
  return {
    watch: (item, source) => {
      if (item.kind === 'stream' && 'chunks' in source) return { ...source, ...stream(item, source) }
      if (item.kind === 'file') void digestOf(item)
      return source
    },
    digestOf: (item) => {
      if (item.kind === 'file') return digestOf(item)
      return digests.get(item) ?? Promise.reject(localFailure(`${item.name} was not read`))
    },
  }
}

async function* hashing(
  chunks: AsyncIterable<Uint8Array>,
  onEnd: (digest: PlainDigest) => void,
): AsyncGenerator<Uint8Array, void> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of chunks) {
    hash.update(chunk)
    size += chunk.length
    yield chunk
  }
  onEnd({ size, sha256: hash.digest('hex') })
}

async function hashItem(item: FileItem, signal: AbortSignal): Promise<PlainDigest> {
  const { location, path, size, changedAt } = item
  try {
    const sha256 = await hashContent(location, { algorithm: 'sha256', size, signal })
    const now = await stat(location, { bigint: true })
    if (Number(now.size) === size && now.mtimeNs === changedAt) return { size, sha256 }
  } catch (error) {
    signal.throwIfAborted()
    throw localFailure(`${path}: ${errorMessage(error)}`, error)
  }
  throw localFailure(`${path} changed during the upload`)
}
