import findMyWay, { type HTTPMethod } from 'find-my-way'
import type { FastifyRequest } from 'fastify'
import { documentPaths } from '@svc/contract'
import { invalidFileName, methodNotAllowed } from '../domain/errors.ts'
import { pathParameter, routerPath } from './request/path-parameters.ts'
import { routes } from './routes.ts'

/** The paths of the route table and their methods. */
export interface KnownPaths {
  /** The methods of a path in any encoding, as the header `Allow` lists them; null for an unknown path. */
  readonly methodsAt: (url: string) => string | null
}

/** This router only matches paths, so the method does not matter. */
const anyMethod: HTTPMethod = 'GET'

/** The path of quick uploads, which matches every other path, too. */
export const anyName = '/{filename}'

const { openApi, reference, releaseNotes } = documentPaths

/** Paths that are served outside the route table. */
const additionalPaths = [openApi, reference, `${reference}/`]

const allowedMethods = ({ endpoint: { method, download } }: (typeof routes)[number]): readonly string[] => {
  if (download === true) return ['GET', 'HEAD', 'OPTIONS']
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

/**
 * Matches paths like the router of all requests: both use the same library.
 * @param prefix path below which all routes are
 * @param maxParamLength maximum length of a path parameter, in characters
 */
export function knownPaths(prefix: string, maxParamLength: number): KnownPaths {
  const router = findMyWay({ maxParamLength })
  const methods = new Map<string, Set<string>>()
  const add = (path: string, added: readonly string[]) => {
    methods.set(path, new Set([...(methods.get(path) ?? []), ...added]))
  }
  for (const route of routes)
    if (route.endpoint.path !== anyName) add(route.endpoint.path, allowedMethods(route))
  for (const path of additionalPaths) add(path, ['GET', 'HEAD'])
  // The web application is at `/`, too.
  add('/', ['GET', 'HEAD'])
  for (const [path, methodsOfPath] of methods)
    router.on(anyMethod, prefix + routerPath(path), () => undefined, [...methodsOfPath].sort().join(', '))
  return {
    methodsAt: (url) => {
      const match = router.find(anyMethod, url)
      return match === null ? null : String(match.store)
    },
  }
}

/** Folders that are served outside the route table. Files such as `index.html` are not listed, because users upload them. */
const servedFolders = [releaseNotes.slice(1), 'assets']

/** The first segment of every route's path: a mistyped request for a route must not store a file. */
const routeNames: ReadonlySet<string> = new Set([
  ...routes.map(({ endpoint }) => endpoint.path.split('/')[1] ?? '').filter((name) => /^[\w.-]+$/.test(name)),
  ...servedFolders,
])

/**
 * Refuses paths and names of routes as file names (`PUT /{filename}`).
 * @throws ServiceError `method_not_allowed`, `invalid_file_name`
 */
export function refuseRouteNames(paths: KnownPaths, request: FastifyRequest): void {
  const methods = paths.methodsAt(request.url)
  const name = pathParameter(request, 'filename')
  // `curl -T - URL/` sends a file without its name.
  if (methods !== null && name === '')
    throw methodNotAllowed(methods, 'a file that is sent with PUT needs a name at the end of the address')
  if (methods !== null) throw methodNotAllowed(methods)
  if (routeNames.has(name))
    throw invalidFileName(
      `"${name}" is a path of this service: send the file with POST as a form to use this name`,
    )
}
