import { lightHeaders } from './light-response.ts'

/** The head of a response (RFC 9112 §4 and §5). */
export interface ResponseHead {
  readonly status: number
  readonly reason: string
  readonly headers: Headers
}

/** Bytes; a longer head is refused. */
const maxHeadBytes = 64 * 1024
const endOfHead = '\r\n\r\n'

/**
 * Reads the head of a response, after those of interim responses (1xx).
 * @returns undefined while the head is incomplete; otherwise the head and the offset of the body
 * @throws TypeError when it is not a response of HTTP/1
 */
export function readHead(bytes: Buffer): { readonly head: ResponseHead; readonly end: number } | undefined {
  for (let start = 0; ;) {
    const found = bytes.indexOf(endOfHead, start, 'latin1')
    if (found === -1) {
      if (bytes.length - start > maxHeadBytes) throw new TypeError('the head of the response has no end')
      return undefined
    }
    const head = parseHead(bytes.toString('latin1', start, found))
    start = found + endOfHead.length
    if (head.status >= 200) return { head, end: start }
  }
}

function parseHead(text: string): ResponseHead {
  const [first = '', ...lines] = text.split('\r\n')
  const [, status, reason = ''] = /^HTTP\/1\.[01] (\d{3})(?: (.*))?$/.exec(first) ?? []
  if (status === undefined) throw new TypeError('the response is not HTTP')
  const fields = lines.map((line) => {
    const [, name, value = ''] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
    if (name === undefined) throw new TypeError('the head of the response is damaged')
    return [name, value] as const
  })
  return { status: Number(status), reason, headers: lightHeaders(fields) }
}

/** How the end of a body is known: by its bytes, by its last chunk, or by the end of the connection. */
export type BodyFraming = { readonly length: number } | 'chunked' | 'close'

/** @returns undefined if the body is encoded, or if its length is not valid */
export function bodyFraming({ status, headers }: ResponseHead): BodyFraming | undefined {
  if (status === 204 || status === 304) return { length: 0 }
  if (headers.has('content-encoding')) return undefined
  const encoding = headers.get('transfer-encoding')
  if (encoding !== null) return encoding.toLowerCase() === 'chunked' ? 'chunked' : undefined
  const length = headers.get('content-length')
  if (length === null) return 'close'
  return /^\d{1,15}$/.test(length) ? { length: Number(length) } : undefined
}
