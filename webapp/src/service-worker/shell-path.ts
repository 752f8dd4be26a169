/** How a part of the application is answered. */
export type ShellPart =
  /** Its name changes with its content, so that a copy is as good as the original. */
  | 'lasting'
  /** The newest that can be had; a copy where there is no connection. */
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
 * Which part of the application a request is for. Undefined for everything else: what people send and fetch, and what
 * the server knows of them, is none of the worker's business.
 * @param scope address of the folder that the application is in, with a slash at its end
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
