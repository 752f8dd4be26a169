import { randomBytes } from 'node:crypto'
import {
  createFileHeader,
  encryptedSize,
  encryptStream,
  EncryptionError,
  plainSize,
  encryptFile,
  type Engine,
  type FileHeader,
  type EncryptionKey,
  type RandomSource,
} from '@svc/encryption'
import type { SeekableSource, StreamSource } from '@svc/sdk'
import { Failure, localFailure } from '../../errors/failure.ts'
import type { FileSource } from '../../files/source.ts'
import type { SavedKey } from '../../state/unfinished/unfinished-upload.ts'

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
  /**
   * Bytes of the content of an encrypted file.
   * @param encryptedBytes bytes of the file; a size that no encrypted file has is returned as it is
   */
  readonly plainSizeOf: (encryptedBytes: number) => number
  /** @param name name of the file in messages */
  readonly encrypt: (name: string, keyStore?: KeyStore) => Promise<EncryptFile>
}

/** How the key of a file is kept for another run of the program. */
export interface KeyStore {
  /** The key of an earlier run. The content must be the one of that run: two contents of one key would reveal each other. */
  readonly saved?: SavedKey | undefined
  readonly save: (key: SavedKey) => Promise<void>
}

/**
 * Every file gets a separate key; all headers for one key of an upload have the same length, so that sizes are known before the
 * first file is opened.
 * @throws EncryptionError `bad_recipient`, `mixed_recipients`
 */
export async function createFileEncryptor(
  encryptionKey: EncryptionKey,
  engine: Engine,
): Promise<FileEncryptor> {
  let spare: FileHeader | undefined = await createFileHeader(encryptionKey, engine)
  const {
    encryptedSize: sizeOf,
    bytes: { length: headerBytes },
  } = spare
  const nextHeader = async () => {
    const header = spare ?? (await createFileHeader(encryptionKey, engine))
    spare = undefined
    // Sizes are declared before the first file is opened.
    if (header.bytes.length !== headerBytes)
      throw new Failure(
        'the plugin of a recipient makes headers of different lengths: send one file at a time',
      )
    return header
  }
  return {
    sizeOf,
    plainSizeOf: (encryptedBytes) => {
      try {
        return plainSize(encryptedBytes, headerBytes)
      } catch {
        return encryptedBytes
      }
    },
    encrypt: async (name, keyStore) => {
      const key = await keyOf(nextHeader, keyStore)
      return encryptWith(name, key, engine)
    },
  }
}

/** The header of a file, and what the nonce of its content is read from. */
interface FileKey {
  readonly header: FileHeader
  readonly random?: RandomSource
}

const nonceBytes = 16

async function keyOf(
  nextHeader: () => Promise<FileHeader>,
  keyStore: KeyStore | undefined,
): Promise<FileKey> {
  if (keyStore?.saved !== undefined) return restored(keyStore.saved)
  const header = await nextHeader()
  if (keyStore === undefined) return { header }
  const nonce = randomBytes(nonceBytes)
  await keyStore.save({
    header: Buffer.from(header.bytes).toString('base64'),
    fileKey: Buffer.from(header.fileKey).toString('base64'),
    nonce: nonce.toString('base64'),
  })
  return { header, random: (into) => into.set(nonce) }
}

function restored({ header: written, fileKey, nonce }: SavedKey): FileKey {
  const bytes = Buffer.from(written, 'base64')
  return {
    header: {
      bytes,
      fileKey: Buffer.from(fileKey, 'base64'),
      encryptedSize: (plainBytes) => encryptedSize(plainBytes, bytes.length),
    },
    random: (into) => into.set(Buffer.from(nonce, 'base64')),
  }
}

function encryptWith(name: string, { header, random }: FileKey, engine: Engine): EncryptFile {
  let encrypted: ReturnType<typeof encryptFile> | undefined
  return (plain, signal) => {
    if (!('filling' in plain)) {
      const size = plain.size === undefined ? {} : { size: header.encryptedSize(plain.size) }
      return {
        ...size,
        chunks: releasingBuffers(encryptStream(plain.chunks, { header, engine, signal }), engine),
      }
    }
    const file = (encrypted ??= encryptFile({ size: plain.size, header, engine, ...(random && { random }) }))
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
