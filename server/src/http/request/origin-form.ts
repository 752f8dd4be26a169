import type { IncomingMessage } from 'node:http'

/** A whole address, which a proxy asks with; a server must take it, too (RFC 9112 §3.2.2). */
const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i

/**
 * The path and the query that a request asks for. Where it names the whole address, that counts and the header `Host` does
 * not, which then says the same.
 */
export function originForm(request: IncomingMessage): string {
  const { url = '/' } = request
  if (url.startsWith('/')) return url
  const [, host = '', path = ''] = absoluteForm.exec(url) ?? []
  if (host === '') return url
  request.headers.host = host
  return path.startsWith('/') ? path : `/${path}`
}
