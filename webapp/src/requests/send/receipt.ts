import type { Upload } from '@svc/contract'
import type { Transfer } from '@svc/sdk'

/** A file that has arrived. */
export interface ReceivedLine {
  /** Name on the device of the sender. */
  readonly name: string
  /** Bytes on the server: those of the encrypted file if files are encrypted. */
  readonly size: number
  readonly md5: string
}

/** The files that have arrived, by the names that they have here. */
export function receiptLines(
  { files }: Pick<Upload, 'files'>,
  transfers: readonly Transfer[],
): ReceivedLine[] {
  const names = new Map(transfers.map(({ key, name }) => [key, name]))
  return files
    .filter(({ status }) => status === 'uploaded')
    .map(({ reference = '', fileName, fileSize, md5 }) => ({
      name: names.get(reference) ?? fileName,
      size: fileSize,
      md5,
    }))
}

/** A receipt as a text file, in the form of `md5sum` after its head. */
export const receiptText = (
  title: string,
  upload: Pick<Upload, 'id' | 'createdAt'>,
  lines: readonly ReceivedLine[],
) =>
  [
    `# ${title.replaceAll(/\s+/g, ' ')}`,
    `# ${upload.createdAt}`,
    `# ${upload.id}`,
    ...lines.map(({ name, size, md5 }) => `${md5}  ${name.replaceAll(/[\r\n]/g, ' ')}  ${String(size)}`),
    '',
  ].join('\n')
