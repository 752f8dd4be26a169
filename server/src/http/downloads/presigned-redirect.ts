import type { IncomingHttpHeaders } from 'node:http'
import { headers as names } from '@svc/contract'

/**
 * Whether a client follows a redirect to another server. A page that reads or displays a file does not: its policy and
 * the store would have to allow it. Navigations, downloads and command-line clients do.
 */
export function followsRedirects(headers: IncomingHttpHeaders): boolean {
  if (headers[names.clientApp] !== undefined || headers.origin !== undefined) return false
  const mode = headers['sec-fetch-mode']
  const destination = headers['sec-fetch-dest']
  return (
    (mode === undefined || mode === 'navigate') &&
    (destination === undefined || destination === 'document' || destination === 'empty')
  )
}

/**
 * The disposition of a response by the store, which sends neither a sandbox nor `nosniff`. Images, audio and video are
 * safe without them; other types are saved, not displayed.
 * @param type media type of the response
 * @param requested disposition that the client requests
 * @returns null when only the service can display the file
 */
export function directDisposition(
  type: string,
  requested: 'inline' | 'attachment',
): 'inline' | 'attachment' | null {
  if (requested === 'attachment' || type === 'application/octet-stream') return 'attachment'
  return /^(?:image|audio|video)\//.test(type) ? 'inline' : null
}
