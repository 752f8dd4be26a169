import { countedChunks, type Progress, type Source } from '../source/source.ts'

/** A multipart body with one file, in chunks. */
export interface MultipartBody {
  readonly contentType: string
  /** Bytes of the whole body; undefined when the file's size is unknown. */
  readonly length: number | undefined
  readonly chunks: AsyncGenerator<Uint8Array>
}

export interface FilePart {
  readonly source: Source
  readonly fileName: string
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** The characters that would end a quoted name, as browsers write them (HTML, "multipart/form-data encoding algorithm"). */
function quotable(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}

async function* framed(head: Uint8Array, part: FilePart, tail: Uint8Array): AsyncGenerator<Uint8Array> {
  yield head
  yield* countedChunks(part.source, part.onProgress)
  yield tail
}

/**
 * Frames a file as the field `file` of a form (RFC 7578), without holding its bytes.
 * @param boundary text that cannot occur in the file, so it must be random
 */
export function multipartBody(part: FilePart, boundary: string): MultipartBody {
  const encoder = new TextEncoder()
  const head = encoder.encode(
    `--${boundary}\r\n` +
      `Content-Disposition: form-data; name="file"; filename="${quotable(part.fileName)}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  )
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`)
  const { size } = part.source
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: size === undefined ? undefined : head.length + size + tail.length,
    chunks: framed(head, part, tail),
  }
}
