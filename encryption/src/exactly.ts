import { peekable, type ByteReader } from './byte-source.ts'
import { EncryptionError } from './error.ts'

/** Ends after as many bytes as were asked for. @throws EncryptionError `size_mismatch` when it ends before or goes on */
export function exactly(reader: ByteReader, length: number): ByteReader {
  let missing = length
  const next = async () => {
    const piece = await reader.pull()
    missing -= piece?.length ?? 0
    if (missing < 0 || (piece === undefined && missing > 0)) {
      throw new EncryptionError('size_mismatch', 'other bytes came than were asked for')
    }
    return piece
  }
  return peekable(next, reader.stop)
}
