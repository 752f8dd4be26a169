import {
  createFileHeader,
  encryptStream,
  EncryptionError,
  sealFile,
  type Engine,
  type FileHeader,
  type Lock,
} from '@svc/encryption'
import type { SeekableSource, StreamSource } from '@svc/sdk'
import { localFailure } from '../errors/failure.ts'
import type { FileSource } from '../files/source.ts'

/** Encrypts one file. A retry produces the same bytes if the content can be read again. */
export type EncryptFile = (
  plain: FileSource | StreamSource,
  signal: AbortSignal,
) => SeekableSource | StreamSource

/** Encrypts the files of an upload. */
export interface FileEncryptor {
  /**
   * Bytes of an encrypted file.
   * @param plainBytes bytes of its content
   */
  readonly sizeOf: (plainBytes: number) => number
  /** @param name of the file in messages */
  readonly encrypt: (name: string) => Promise<EncryptFile>
}

/**
 * Every file gets a separate key; all headers of one lock have the same length, so that sizes are known before the
 * first file is opened.
 * @throws EncryptionError `bad_recipient`, `mixed_recipients`
 */
export async function createFileEncryptor(lock: Lock, engine: Engine): Promise<FileEncryptor> {
  let spare: FileHeader | undefined = await createFileHeader(lock, engine)
  const { encryptedSize } = spare
  const nextHeader = async () => {
    const header = spare ?? (await createFileHeader(lock, engine))
    spare = undefined
    return header
  }
  return { sizeOf: encryptedSize, encrypt: async (name) => encryptWith(name, await nextHeader(), engine) }
}

function encryptWith(name: string, header: FileHeader, engine: Engine): EncryptFile {
  let sealed: ReturnType<typeof sealFile> | undefined
  return (plain, signal) => {
    if (!('filling' in plain)) {
      const size = plain.size === undefined ? {} : { size: header.encryptedSize(plain.size) }
      return {
        ...size,
        chunks: releasingBuffers(encryptStream(plain.chunks, { header, engine, signal }), engine),
      }
    }
    const file = (sealed ??= sealFile({ size: plain.size, header, engine }))
    const between = (start: number, end: number) =>
      releasingBuffers(
        reportingChanges(
          name,
          file.read({ start, end }, (range) => plain.filling(range.start, range.end), signal),
        ),
        engine,
      )
    return { size: file.size, between }
  }
}

/**
 * Returns the memory of a chunk to the engine when the connection no longer needs it, which is when it requests the second
 * chunk after it. Otherwise the garbage collector would take as much time as the cipher.
 */
async function* releasingBuffers(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  { memory }: Engine,
): AsyncGenerator<Uint8Array, void> {
  let before: Uint8Array<ArrayBuffer> | undefined
  for await (const chunk of chunks) {
    yield chunk
    if (before !== undefined) memory.release(before.buffer)
    before = chunk
  }
}

/** A content that differs when it is read again has changed. */
async function* reportingChanges(
  name: string,
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>, void>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  try {
    yield* chunks
  } catch (error) {
    if (error instanceof EncryptionError && error.code === 'size_mismatch')
      throw localFailure(`${name} changed during the upload`, error)
    throw error
  }
}
