/** The cache policy of a part of the application. */
export type ShellPart =
  /** The name changes with the content, so the cached copy is always current. */
  | 'lasting'
  /** From the server; the cached copy without a connection. */
  | 'newest'

const newest: readonly string[] = [
  '',
  'index.html',
  'settings.json',
  'favicon.svg',
  'manifest.webmanifest',
  'icon-192.png',
  'icon-512.png',
]

/**
 * The cache policy of a request. Undefined for all other requests, which the worker does not handle.
 * @param scope address of the application's folder, with a trailing slash
 */
export function shellPart(method: string, url: string, scope: string): ShellPart | undefined {
  if (method !== 'GET') return undefined
  const { origin, pathname, search } = new URL(url)
  const base = new URL(scope)
  if (origin !== base.origin || search !== '' || !pathname.startsWith(base.pathname)) return undefined
  const path = pathname.slice(base.pathname.length)
  if (/^assets\/[\w.-]+$/.test(path)) return 'lasting'
  return newest.includes(path) ? 'newest' : undefined
}
