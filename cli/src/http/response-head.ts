/** The beginning of an answer (RFC 9112 §4 and §5). */
export interface ResponseHead {
  readonly status: number
  readonly reason: string
  readonly headers: Headers
}

/** Bytes; a longer head is refused. */
const mostBytes = 64 * 1024
const endOfHead = '\r\n\r\n'

/**
 * Takes the head off the beginning of an answer, and those of interim answers (1xx) before it.
 * @returns undefined while it is not whole; otherwise with where the body begins
 * @throws TypeError when it is no answer of HTTP/1
 */
export function readHead(bytes: Buffer): { readonly head: ResponseHead; readonly end: number } | undefined {
  for (let start = 0; ;) {
    const found = bytes.indexOf(endOfHead, start, 'latin1')
    if (found === -1) {
      if (bytes.length - start > mostBytes) throw new TypeError('the head of the answer has no end')
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
  if (status === undefined) throw new TypeError('the answer is not HTTP')
  const headers = new Headers()
  for (const line of lines) {
    const [, name, value = ''] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
    if (name === undefined) throw new TypeError('the head of the answer is damaged')
    headers.append(name, value)
  }
  return { status: Number(status), reason, headers }
}

/** Bytes of the body; undefined if only its end is known, or if it is encoded. */
export function bodyLength({ headers }: ResponseHead): number | undefined {
  const length = headers.get('content-length') ?? ''
  return headers.has('transfer-encoding') || !/^\d{1,15}$/.test(length) ? undefined : Number(length)
}
