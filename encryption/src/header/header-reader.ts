import type { ByteReader } from '../base/byte-source.ts'
import { concat, startsWith, utf8 } from '../base/bytes.ts'
import { EncryptionError } from '../base/error.ts'

const versionLine = 'age-encryption.org/v1\n'
/** The prefix of every version of the format. */
const anyVersion = utf8('age-encryption.org/')
/** The beginning of the last line of a header. */
const lastLine = utf8('\n---')
const newline = 0x0a

/** Maximum bytes of a header: enough for thousands of recipients. */
const maxHeaderBytes = 1024 * 1024

/** Whether bytes begin like a binary encrypted file. A few bytes are enough. */
export const isAgeHeader = (bytes: Uint8Array): boolean => startsWith(bytes, utf8(versionLine))

/** End of the header in `bytes`; undefined when the header is incomplete. */
function endOfHeader(bytes: Uint8Array): number | undefined {
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) {
    if (!startsWith(bytes.subarray(at), lastLine)) continue
    const end = bytes.indexOf(newline, at + 1)
    return end === -1 ? undefined : end + 1
  }
  return undefined
}

/** Throws unless the bytes can be the beginning of a file. */
function requireAge(bytes: Uint8Array): void {
  const length = Math.min(bytes.length, anyVersion.length)
  if (!startsWith(anyVersion, bytes.subarray(0, length))) {
    throw new EncryptionError('not_encrypted', 'this is not a file encrypted with age')
  }
}

/**
 * Reads the header of a file, to the end of its last line.
 * @throws EncryptionError `not_encrypted`, `truncated`, `bad_header`
 */
export async function readHeader(reader: ByteReader): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array()
  for (;;) {
    const piece = await reader.pull()
    if (piece === undefined) {
      if (bytes.length < anyVersion.length)
        throw new EncryptionError('not_encrypted', 'this is not an encrypted file')
      throw new EncryptionError('truncated', 'the file ends within its header')
    }
    bytes = concat([bytes, piece])
    requireAge(bytes)
    const end = endOfHeader(bytes)
    if (end !== undefined) {
      reader.unread(bytes.subarray(end))
      return bytes.slice(0, end)
    }
    if (bytes.length > maxHeaderBytes) throw new EncryptionError('bad_header', 'the header has no end')
  }
}

/**
 * Reads exactly this many bytes.
 * @throws EncryptionError `truncated`
 */
export async function readExactly(reader: ByteReader, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let missing = length
  while (missing > 0) {
    const piece = await reader.pull()
    if (piece === undefined) throw new EncryptionError('truncated', 'the file ends before its content')
    // Reading more may overwrite the memory of these bytes.
    pieces.push(piece.slice(0, missing))
    if (piece.length > missing) reader.unread(piece.subarray(missing))
    missing -= Math.min(piece.length, missing)
  }
  return concat(pieces)
}
