import type { ProxyOptions } from 'vite'
import { documentPaths, endpoints } from '../../contract/src/index.ts'

/** Methods with which the page itself is read. */
const reading: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD'])

/**
 * The requests that a development start of the page forwards to a running server: those of every endpoint, by the first
 * segment of its path, and those of the documents beside them. At the root, and at a name without a folder, the page is read and files are uploaded (`POST /`,
 * `PUT /{filename}`), so only the uploads are forwarded.
 * @param server URL of the server
 * @returns options of Vite's `server.proxy`, by regular expression
 */
export function serverPaths(server: string): Readonly<Record<string, ProxyOptions>> {
  const first = Object.values(endpoints).map(({ path }) => `/${path.split('/')[1] ?? ''}`)
  const fixed = first.filter((segment) => segment !== '/' && !segment.includes('{'))
  const all = [...new Set([...fixed, ...Object.values(documentPaths)])].map(
    (path) => `^${path.replaceAll('.', '\\.')}(?:[/?]|$)`,
  )
  return {
    ...Object.fromEntries(all.map((path) => [path, { target: server }])),
    '^/[^/]*$': {
      target: server,
      bypass: ({ method, url }) => (reading.has(method) ? url : undefined),
    },
  }
}
