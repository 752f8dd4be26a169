import type { IncomingHttpHeaders } from 'node:http'
import { headers as names } from '@svc/contract'

/**
 * Whether a client can be sent to the address of another server. A page that reads or shows a file itself cannot: its
 * own policy, and the store, would have to allow that. A navigation, a download and a command line can.
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
 * The disposition that a store may answer with, which sends neither a sandbox nor `nosniff`: pictures, sounds and films
 * are harmless without them; other types are saved, not shown.
 * @param type that the file goes out with
 * @param asked how the client wants it
 * @returns null when only the service can show it
 */
export function directDisposition(
  type: string,
  asked: 'inline' | 'attachment',
): 'inline' | 'attachment' | null {
  if (asked === 'attachment' || type === 'application/octet-stream') return 'attachment'
  return /^(?:image|audio|video)\//.test(type) ? 'inline' : null
}
