import {
  createFileHeader,
  borrow,
  passphraseKey,
  encryptFile,
  createBatchDigest,
  type BatchDigest,
  type ByteRange,
  type FileHeader,
  type EncryptionKey,
} from '@svc/encryption'
import { unreadableFileError, type SeekableSource } from '@svc/sdk'
import { sharedEngine } from './shared-engine.ts'

/** Encrypts the files of an upload while they are sent. */
export interface Encryptor {
  /**
   * An encrypted file whose parts are computed when they are read, and which is never whole in memory.
   * @param digest hashes the content on the way
   */
  readonly encrypt: (file: File, digest?: BatchDigest) => Promise<SeekableSource>
  /** Hashes a file while it is encrypted. */
  readonly digestOf: (file: File) => BatchDigest
}

/** Distinguishes an unreadable file from other errors. */
async function* orUnreadable<Chunk>(file: File, chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk, void> {
  try {
    yield* chunks
  } catch (error) {
    throw (await unreadableFileError(file)) ?? error
  }
}

/** @param passphrase opens all the files */
export const createEncryptor = (passphrase: string): Encryptor => encryptorFor(passphraseKey(passphrase))

export function encryptorFor(encryptionKey: EncryptionKey): Encryptor {
  let before: Promise<unknown> = Promise.resolve()
  /** In order, because a typed passphrase takes a second and 256 MB each time. */
  const nextHeader = (): Promise<FileHeader> => {
    const header = before.then(() => createFileHeader(encryptionKey, sharedEngine()))
    before = header.catch(() => undefined)
    return header
  }
  return {
    digestOf: ({ size }) => createBatchDigest(size, sharedEngine()),
    encrypt: async (file, digest) => {
      const header = await nextHeader()
      const engine = sharedEngine()
      const { size, read } = encryptFile({ size: file.size, header, engine, digest })
      const plain = ({ start, end }: ByteRange) => file.slice(start, end).stream()
      // Each buffer is copied into a blob before the next is requested.
      return {
        size,
        between: (start, end) => orUnreadable(file, borrow(read({ start, end }, plain), engine)),
      }
    },
  }
}
