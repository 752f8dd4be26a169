import { fileTypeFromBuffer } from 'file-type'
import { textType } from '../../domain/files/text-type.ts'

const pdfMark = Buffer.from('%PDF-')
const startsWith = (bytes: Uint8Array, mark: Buffer) => mark.equals(bytes.subarray(0, mark.length))

/** How much of a file tells its type, in bytes. */
export const sniffBytes = 4_100

/**
 * The media type that the first bytes of a file tell, whatever its name or its sender says.
 * @param head the first bytes; all of them when the file is shorter than `sniffBytes`
 */
export async function sniffType(head: Uint8Array): Promise<string> {
  // The one format that is often text to its end, and still opens as something else.
  if (startsWith(head, pdfMark)) return 'application/pdf'
  const text = textType(head, { complete: head.length < sniffBytes })
  // Text first: it is the cheaper question, and a page that starts with a magic number is still a page.
  if (text !== null) return text
  return (await fileTypeFromBuffer(head))?.mime ?? 'application/octet-stream'
}
