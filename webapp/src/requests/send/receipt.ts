import type { File, Upload } from '@svc/contract'
import { availability } from '../../base/file-state.ts'

/** An upload to a request, as the browser of its sender knows it. */
export interface SentReceipt {
  /** Of the request. */
  readonly title: string
  /** Whether the files are encrypted for the owner of the request. Tabs have stored receipts with this name. */
  readonly sealed: boolean
  readonly id: string
  readonly uploadToken: string | undefined
  readonly createdAt: string
  /** The name that the sender has given. */
  readonly sender?: string
  /** The files by their references, with their names and sizes (bytes) on the device of the sender. */
  readonly files: readonly (readonly [reference: string, name: string, size: number])[]
}

/** A file that has arrived. */
export interface ReceivedLine {
  /** Name on the device of the sender. */
  readonly name: string
  /** Bytes on the device of the sender. */
  readonly ownSize: number
  /** Bytes on the server: those of the encrypted file if files are encrypted. */
  readonly size: number
  readonly md5: string
}

/**
 * The files that have arrived, by the names that they have here.
 * @param stored the files of the upload
 */
export function receiptLines(stored: readonly File[], { files }: Pick<SentReceipt, 'files'>): ReceivedLine[] {
  const own = new Map(files.map(([reference, name, size]) => [reference, { name, size }]))
  return stored
    .filter(({ status }) => status === 'uploaded')
    .map(({ reference = '', fileName, fileSize, md5 }) => ({
      name: own.get(reference)?.name ?? fileName,
      ownSize: own.get(reference)?.size ?? fileSize,
      size: fileSize,
      md5,
    }))
}

/** The names of the files that have not arrived. What the recipient has removed since has arrived. */
export function missingNames(upload: Upload, { files }: Pick<SentReceipt, 'files'>): string[] {
  const own = new Map(files.map(([reference, name]) => [reference, name]))
  return upload.files
    .filter((file) => availability(file, upload) === 'coming')
    .map(({ reference = '', fileName }) => own.get(reference) ?? fileName)
}

/** A receipt as a text file, in the form of `md5sum` after its head. */
export const receiptText = (
  title: string,
  upload: Pick<Upload, 'id' | 'createdAt'>,
  lines: readonly Omit<ReceivedLine, 'ownSize'>[],
) =>
  [
    `# ${title.replaceAll(/\s+/g, ' ')}`,
    `# ${upload.createdAt}`,
    `# ${upload.id}`,
    ...lines.map(({ name, size, md5 }) => `${md5}  ${name.replaceAll(/[\r\n]/g, ' ')}  ${String(size)}`),
    '',
  ].join('\n')
