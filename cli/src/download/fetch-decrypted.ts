import { unlink } from 'node:fs/promises'
import type { File } from '@svc/contract'
import { oneChunk, openEncrypted, readEncrypted, type ByteRange } from '@svc/encryption'
import { isResumable } from '@svc/sdk'
import { withKeys, type KeyRing } from '../encryption/key-ring.ts'
import { isEncryptionError, isKeyError } from '../errors/encryption-errors.ts'
import { isReplacedFile } from '../errors/replaced-file-failure.ts'
import { fileSink } from '../files/sink.ts'
import { largestPart, partPath } from '../files/local-file.ts'
import type { Clock } from '../program/program.ts'
import { bytesIn } from './byte-range.ts'
import type { DownloadContext } from './download-context.ts'
import { bytesFrom, createEncryptedSource, type EncryptedSource } from './encrypted-source.ts'
import type { PartialFile } from './fetch-bytes.ts'
import {
  headBytes,
  openDecryptedPart,
  decryptedPartPath,
  resumePosition,
  type DecryptedPart,
} from './decrypted-part.ts'

export interface DecryptContext extends DownloadContext {
  readonly keys: KeyRing
  readonly clock: Clock
  /** Called when bytes are about to be kept. */
  readonly onPart: (part: PartialFile) => void
}

interface EncryptedFile {
  readonly file: File
  /** Path of the complete content. */
  readonly path: string
  /** In the names of the partial files. */
  readonly id: string
}

/** Decrypted content, in order. */
type Content = AsyncIterable<Uint8Array<ArrayBuffer>>

/**
 * Downloads a file and decrypts it before it is written. Each chunk is authenticated, which is more than a checksum proves.
 * Content of an earlier run stays, and the download continues after it.
 * @returns path of the content, which is complete
 * @throws Failure, ApiError, EncryptionError, the signal's reason. The content so far is kept if another run can use it.
 */
export async function fetchDecrypted(context: DecryptContext, encrypted: EncryptedFile): Promise<string> {
  // Ends the request when decryption fails.
  const stop = new AbortController()
  const stoppable = { ...context, signal: AbortSignal.any([context.signal, stop.signal]) }
  try {
    const resumed = isResumable(context.upload) ? await resume(stoppable, encrypted) : undefined
    return resumed ?? (await begin(stoppable, encrypted))
  } finally {
    stop.abort()
  }
}

/** The first byte of armor. */
const hyphen = 0x2d

/** @returns undefined without content of an earlier run */
async function resume(
  context: DecryptContext,
  { file, path, id }: EncryptedFile,
): Promise<string | undefined> {
  const { keys: ring, signal, clock } = context
  if ((await largestPart(path)) === 0) return undefined
  const size = file.fileSize
  const head = await bytesIn(context, file, { start: 0, end: Math.min(headBytes, size) })
  // Armor has no random access.
  if (head === undefined || head[0] === hyphen) return undefined
  const partial = decryptedPartPath(path, id, head)
  const start = await resumePosition(partial, clock)
  if (start === 0) return undefined
  const read = async (range: ByteRange) => {
    if (range.end === size) return bytesFrom(context, file, range.start)
    if (range.end <= head.length) return oneChunk(head.subarray(range.start, range.end))
    return oneChunk((await bytesIn(context, file, range)) ?? new Uint8Array())
  }
  const opened = await withKeys(ring, (keys) =>
    openEncrypted({ size, read }, { keys, engine: ring.engine, signal }),
  )
  if (start > opened.size) return undefined
  context.onBytes(start)
  const content = opened.read({ start, end: opened.size }, signal)
  await write(context, content, () => ({ path: partial, start }))
  return partial
}

async function begin(context: DecryptContext, encrypted: EncryptedFile): Promise<string> {
  const { keys: ring, signal } = context
  const { file, path, id } = encrypted
  const source = createEncryptedSource(bytesFrom(context, file, 0))
  let content: Content
  try {
    const reader = await readEncrypted(source.bytes, { engine: ring.engine, signal })
    content = await withKeys(ring, reader.decrypt)
  } catch (error) {
    // The server serves a one-shot file once: its bytes wait for the right key.
    if (isEncryptionError(error) && !context.isRepeatable) await keepEncrypted(context, source, encrypted)
    throw error
  }
  source.unlocked()
  const partial = () => decryptedPartPath(path, id, source.head())
  await write(context, content, () => ({ path: partial(), start: 0 }))
  return partial()
}

async function keepEncrypted(
  { onPart }: DecryptContext,
  source: EncryptedSource,
  { file, path, id }: EncryptedFile,
): Promise<void> {
  const part = partPath(path, id)
  onPart({ path: part, content: 'encrypted' })
  const sink = await fileSink(part, { size: file.fileSize, resume: false, algorithm: undefined })
  try {
    for await (const chunk of source.again()) await sink.write([chunk])
  } finally {
    await sink.close()
  }
}

interface PartPlace {
  readonly path: string
  readonly start: number
}

/**
 * Writes content to its partial file. The next chunk is decrypted while one is written.
 * @param placeOf is called when the first chunk is known
 */
async function write(
  { keys: { engine }, isRepeatable, onBytes, onPart, clock }: DecryptContext,
  content: Content,
  placeOf: () => PartPlace,
): Promise<void> {
  let part: DecryptedPart | undefined
  let lastWrite = Promise.resolve()
  const open = async () => {
    if (part !== undefined) return part
    const { path, start } = placeOf()
    onPart({ path, content: 'decrypted' })
    return (part = await openDecryptedPart(path, start, clock))
  }
  const append = async (chunk: Uint8Array<ArrayBuffer>) => {
    await (await open()).append(chunk)
    onBytes(chunk.length)
    engine.memory.release(chunk.buffer)
  }
  try {
    for await (const chunk of content) {
      await lastWrite
      lastWrite = append(chunk)
      // The next write, or the end, reports an error of this one.
      lastWrite.catch(() => undefined)
    }
    await lastWrite
    // Empty content is a file, too.
    await open()
    await part?.close()
  } catch (error) {
    await lastWrite.catch(() => undefined)
    await part?.close().catch(() => undefined)
    // A download must not resume with a file that is damaged.
    const isDamaged =
      isRepeatable && (isReplacedFile(error) || (isEncryptionError(error) && !isKeyError(error)))
    if (part !== undefined && (isDamaged || part.position() === 0))
      await unlink(placeOf().path).catch(() => undefined)
    throw error
  }
}
