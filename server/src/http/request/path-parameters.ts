import type { FastifyRequest } from 'fastify'

/** Names of path parameters. `filename` can contain slashes; the router calls it `*`. */
export type PathParameter =
  | 'requestID'
  | 'uploadID'
  | 'fileID'
  | 'filename'
  | 'userID'
  | 'token'
  | 'sessionID'
  | 'webhookID'
  | 'deliveryID'
  | 'pushID'

/** A parameter of the route's path, decoded; empty without a route, as for a path that cannot be decoded. */
export function pathParameter(request: FastifyRequest, name: PathParameter): string {
  const parameters = request.params as Readonly<Record<string, string | undefined>> | undefined
  return parameters?.[name === 'filename' ? '*' : name] ?? ''
}

/** `/file/{uploadID}/{filename}` of the contract as the router spells it: `/file/:uploadID/*`. */
export function routerPath(path: string): string {
  return path.replace(/\/\{filename\}$/, '/*').replaceAll(/\{(\w+)\}/g, ':$1')
}
