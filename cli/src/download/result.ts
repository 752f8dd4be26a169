import type { File } from '@svc/contract'
import { errorMessage } from '../errors/error-message.ts'

/** The result of one file. */
export interface Result {
  readonly name: string
  readonly file?: File
  readonly path?: string
  /** Paths of unpacked files. */
  readonly extracted?: readonly string[]
  /** The file is encrypted on the server: size and checksum are those of the stored bytes. */
  readonly decrypted?: boolean
  readonly status: 'downloaded' | 'present' | 'failed'
  readonly error?: unknown
}

/** The result in the JSON output. */
export const resultValue = ({ name, file, path, extracted, decrypted, status, error }: Result) => ({
  name,
  ...(extracted !== undefined ? { extracted } : path !== undefined && { path }),
  status,
  ...(decrypted === true && { decrypted }),
  ...(file !== undefined && { size: file.fileSize, md5: file.md5, type: file.type }),
  ...(error !== undefined && { error: errorMessage(error) }),
})
