import type { File } from '@svc/contract'
import { printable } from '@svc/terminal'
import { errorMessage } from '../errors/error-message.ts'
import type { Checksum } from '../files/checksum.ts'
import type { Program } from '../program/program.ts'

/** The result of one file. */
export interface FileResult {
  readonly name: string
  readonly file?: File
  readonly path?: string
  /** Paths of unpacked files. */
  readonly extracted?: readonly string[]
  /** The file is encrypted on the server: size and checksum are those of the stored bytes. */
  readonly decrypted?: boolean
  /** What its bytes were verified with, unless that is the MD5 of the file. */
  readonly checksum?: Checksum | undefined
  readonly status: 'downloaded' | 'present' | 'failed'
  readonly error?: unknown
}

/** The result in the JSON output. */
export const resultValue = ({
  name,
  file,
  path,
  extracted,
  decrypted,
  checksum,
  status,
  error,
}: FileResult) => ({
  name,
  ...(extracted !== undefined ? { extracted } : path !== undefined && { path }),
  status,
  ...(decrypted === true && { decrypted }),
  ...(file !== undefined && { size: file.fileSize, md5: file.md5, type: file.type }),
  ...(checksum !== undefined && { verified: checksum.algorithm, [checksum.algorithm]: checksum.value }),
  ...(error !== undefined && { error: errorMessage(error) }),
})

/** Prints what failed before the first byte. */
export function reportFailed(program: Program, failed: readonly FileResult[]): void {
  for (const { name, error } of failed) program.printToStderr(`${printable(name)}: ${errorMessage(error)}`)
}
