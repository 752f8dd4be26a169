import { STATUS_CODES } from 'node:http'
import { parseJson } from '@svc/contract'
import { ApiError } from '@svc/sdk'

/** Characters of a body in a message. */
const maxLength = 200

/** Fields of JSON in which servers state a reason: `detail` and `title` of problem details (RFC 9457). */
const reasonFields = ['detail', 'title', 'error', 'error_description'] as const

/** The first line of what a server says; undefined if it says nothing but the status. */
function reasonIn(text: string): string | undefined {
  if (/^the server (?:or a proxy )?responded with /.test(text)) return undefined
  const fields = (parseJson(text) ?? {}) as Readonly<Record<string, unknown>>
  const stated = reasonFields.map((name) => fields[name]).find((value) => typeof value === 'string')
  const [line = ''] = (stated ?? text).trim().split(/[\r\n]/)
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line
}

/**
 * The error of a server that is not Svc, with its address. Its status decides whether a retry may succeed, since its codes are
 * not ours.
 */
export function foreignError(error: unknown, { href }: URL): unknown {
  // A redirect that leads nowhere names its address, and so does an error that is foreign already.
  if (!(error instanceof ApiError) || error.status === 0 || error.message.startsWith(href)) return error
  const { status, message, retryAfter } = error
  const reason = reasonIn(message)
  const phrase = `${String(status)} ${STATUS_CODES[status] ?? ''}`.trimEnd()
  const words = `${href} responded with ${phrase}${reason === undefined ? '' : `: ${reason}`}`
  return new ApiError(status, `http_${String(status)}`, words, { cause: undefined, retryAfter })
}
