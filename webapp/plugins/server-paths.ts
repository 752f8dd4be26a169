import { endpoints } from '../../contract/src/index.ts'

/** What the server serves besides the endpoints of the contract. */
const besides = ['/openapi.json', '/docs', '/changelog']

/**
 * The paths that a development start of the page leaves to a running server: those of every endpoint, by their first segment.
 * The root (`POST /`) and names of files (`PUT /{filename}`) are left to Vite, which serves the page there.
 * @returns regular expressions as Vite's `server.proxy` takes them
 */
export function serverPaths(): readonly string[] {
  const first = Object.values(endpoints).map(({ path }) => `/${path.split('/')[1] ?? ''}`)
  const fixed = first.filter((segment) => segment !== '/' && !segment.includes('{'))
  return [...new Set([...fixed, ...besides])].map((path) => `^${path.replaceAll('.', '\\.')}(?:[/?]|$)`)
}
