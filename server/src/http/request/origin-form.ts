import type { IncomingMessage } from 'node:http'

/** An absolute URL, as sent to proxies; a server must accept it, too (RFC 9112 §3.2.2). */
const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i

/** The path and the query of a request. The host of an absolute URL replaces the header `Host`. */
export function originForm(request: IncomingMessage): string {
  const { url = '/' } = request
  if (url.startsWith('/')) return url
  const [, host = '', path = ''] = absoluteForm.exec(url) ?? []
  if (host === '') return url
  request.headers.host = host
  return path.startsWith('/') ? path : `/${path}`
}
