import type { File } from '@svc/contract'
import { errorMessage } from '../core/error-message.ts'

/** What became of a file. */
export interface Result {
  readonly name: string
  readonly file?: File
  readonly path?: string
  /** What came out of it. */
  readonly extracted?: readonly string[]
  /** The server has it encrypted: size and checksum are those of what it has. */
  readonly decrypted?: boolean
  readonly status: 'downloaded' | 'present' | 'failed'
  readonly error?: unknown
}

/** As it stands in the answer for scripts. */
export const resultValue = ({ name, file, path, extracted, decrypted, status, error }: Result) => ({
  name,
  ...(extracted !== undefined ? { extracted } : path !== undefined && { path }),
  status,
  ...(decrypted === true && { decrypted }),
  ...(file !== undefined && { size: file.fileSize, md5: file.md5, type: file.type }),
  ...(error !== undefined && { error: errorMessage(error) }),
})
