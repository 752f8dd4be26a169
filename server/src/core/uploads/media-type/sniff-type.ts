import { fileTypeFromBuffer } from 'file-type'
import { textType } from '../../../domain/files/text-type.ts'

const pdfSignature = Buffer.from('%PDF-')
const startsWith = (bytes: Uint8Array, signature: Buffer) =>
  signature.equals(bytes.subarray(0, signature.length))

/** The number of bytes that type detection reads from the start of a file. */
export const sniffBytes = 4_100

export interface HeadOptions {
  /** Whether the first bytes are the whole file; by default if there are fewer than `sniffBytes`. */
  readonly complete?: boolean
}

/**
 * Detects the media type of a file from its first bytes. The name and the type that the sender states do not count.
 * @param head the first bytes; all of them when the file is shorter than `sniffBytes`, unless it is not complete
 */
export async function sniffType(
  head: Uint8Array,
  { complete = head.length < sniffBytes }: HeadOptions = {},
): Promise<string> {
  // Many PDF files are pure text, and browsers still open them as PDF.
  if (startsWith(head, pdfSignature)) return 'application/pdf'
  const text = textType(head, { complete })
  // Text comes first: its check is cheaper, and a page that starts with a magic number is still a page.
  if (text !== null) return text
  return (await fileTypeFromBuffer(head))?.mime ?? 'application/octet-stream'
}
