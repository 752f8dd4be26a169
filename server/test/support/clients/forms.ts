export const boundary = 'test-boundary-1f3a'
export const formType = `multipart/form-data; boundary=${boundary}`

export interface FormPart {
  readonly content: string | Uint8Array
  /** `file` by default. */
  readonly name?: string
  /** Without one the part is a plain field. */
  readonly fileName?: string
  /** Replaces the disposition with name and file name. */
  readonly disposition?: string
}

/** A `multipart/form-data` body with these parts, even invalid ones. */
export function form(parts: readonly FormPart[], { lineEnd = '\r\n' } = {}): Buffer {
  const chunks = parts.flatMap((part) => [partHead(part, lineEnd), part.content, lineEnd])
  return Buffer.concat([...chunks, `--${boundary}--${lineEnd}`].map((chunk) => Buffer.from(chunk)))
}

export function partHead({ name = 'file', fileName, disposition }: FormPart, lineEnd = '\r\n'): string {
  const file = fileName === undefined ? '' : `; filename="${fileName}"`
  const header = disposition ?? `form-data; name="${name}"${file}`
  return [`--${boundary}`, `Content-Disposition: ${header}`, lineEnd].join(lineEnd)
}

/** An ordinary form with one file. */
export const fileForm = (content: string | Uint8Array, fileName = 'file.txt'): Buffer =>
  form([{ fileName, content }])
