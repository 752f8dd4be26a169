import findMyWay, { type HTTPMethod } from 'find-my-way'
import type { FastifyRequest } from 'fastify'
import { invalidFileName, methodNotAllowed } from '../domain/errors.ts'
import { pathParameter, routerPath } from './request/path-parameters.ts'
import { routes } from './routes.ts'

/** The paths of the route table, each with what may be asked of it. */
export interface KnownPaths {
  /** The methods of a path, however it is spelled, as the header `Allow` lists them; null for a path of no route. */
  readonly allowed: (url: string) => string | null
}

/** Any method will do: this router is asked for paths alone. */
const anyMethod: HTTPMethod = 'GET'

/** The path of quick uploads: every other path is one of these, too. */
export const anyName = '/{filename}'

/** Paths that are served beside the route table. */
const besides = ['/openapi.json', '/docs', '/docs/']

const asked = ({ endpoint: { method, download } }: (typeof routes)[number]): readonly string[] => {
  if (download === true) return ['GET', 'HEAD', 'OPTIONS']
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

/**
 * Knows the paths as the router of all requests does, since it is one like it.
 * @param prefix path below which all routes are
 * @param maxParamLength characters that a part of a path can have
 */
export function knownPaths(prefix: string, maxParamLength: number): KnownPaths {
  const router = findMyWay({ maxParamLength })
  const methods = new Map<string, Set<string>>()
  const add = (path: string, more: readonly string[]) => {
    methods.set(path, new Set([...(methods.get(path) ?? []), ...more]))
  }
  for (const route of routes) if (route.endpoint.path !== anyName) add(route.endpoint.path, asked(route))
  for (const path of besides) add(path, ['GET', 'HEAD'])
  // The page lies there, too.
  add('/', ['GET', 'HEAD'])
  for (const [path, found] of methods)
    router.on(anyMethod, prefix + routerPath(path), () => undefined, [...found].sort().join(', '))
  return {
    allowed: (url) => {
      const found = router.find(anyMethod, url)
      return found === null ? null : String(found.store)
    },
  }
}

/** The first part of every route's path: whoever means the route and gets it wrong must not store a file instead. */
const routeNames: ReadonlySet<string> = new Set(
  routes.map(({ endpoint }) => endpoint.path.split('/')[1] ?? '').filter((name) => /^[\w.-]+$/.test(name)),
)

/**
 * Keeps the paths and the names of routes from being names of files (`PUT /{filename}`).
 * @throws ServiceError `method_not_allowed`, `invalid_file_name`
 */
export function refuseRouteNames(paths: KnownPaths, request: FastifyRequest): void {
  const methods = paths.allowed(request.url)
  const name = pathParameter(request, 'filename')
  // Without a name, the refusal of that says what to do.
  if (methods !== null && name !== '') throw methodNotAllowed(methods)
  if (routeNames.has(name))
    throw invalidFileName(
      `"${name}" belongs to this service: send the file in a form, where it may be called so`,
    )
}
