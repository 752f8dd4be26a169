import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Service } from '../../core/service.ts'
import { isId } from '../../domain/ids.ts'
import { sourceAddress } from '../steps/source-address.ts'
import { declaredPath } from './watch-requests.ts'

/** What load balancers and monitors look at all the time. */
const looks: readonly unknown[] = ['/health', '/ready']

/**
 * Has a line written for each request (specification §1), those among them that no chain gets to see: what has no route, a
 * body that cannot be read, what goes to the other domain.
 */
export function logRequests(app: FastifyInstance, service: Service): void {
  app.addHook('onRequest', (request, reply, done) => {
    logRequest(service, request, reply)
    done()
  })
}

/**
 * Writes one line when the request is over, however it ends; files of the page that are there have none. It names the pattern
 * of the route and the beginnings of ids: an address may hold a token or a name, its query a password, and an id is all that
 * a download needs. What is no route of ours could hold anything, so that nothing of it is written.
 */
export function logRequest(service: Service, request: FastifyRequest, reply: FastifyReply): void {
  const { log, clock } = service
  const route = declaredPath(request)
  if (!log.isLevelEnabled('info') || looks.includes(route)) return
  const start = clock.now()
  const { address } = sourceAddress({ service, request, reply })
  const { raw } = reply
  raw.once('close', () => {
    if (route === undefined && raw.statusCode < 400) return
    log.info(
      {
        method: request.raw.method,
        route: route ?? 'none',
        ...beginningsOfIds(request),
        status: raw.statusCode,
        ms: clock.now() - start,
        address,
        ...(!raw.writableFinished && { aborted: true }),
      },
      'request',
    )
  })
}

/** Enough to tell requests apart, far from enough to guess the rest. */
const shown = 4

/** Of the upload and the file that a request names; other parts of a path are names and tokens. */
function beginningsOfIds({ params }: FastifyRequest): { readonly upload?: string; readonly file?: string } {
  const { uploadID, fileID } = (params ?? {}) as Readonly<Record<string, string | undefined>>
  return {
    ...(uploadID !== undefined && { upload: beginning(uploadID) }),
    ...(fileID !== undefined && { file: beginning(fileID) }),
  }
}

/** What has not the form of an id may be anything. */
const beginning = (id: string): string => (isId(id) ? `${id.slice(0, shown)}…` : '…')
