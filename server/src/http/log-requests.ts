import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Service } from '../core/service.ts'
import { sourceAddress } from './steps/source-address.ts'
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
 * Writes one line when the request is over, however it ends; files of the page that are there have none. The query is left
 * out: a quick upload may carry a password in it. Other tokens travel in headers, which are not logged either.
 */
export function logRequest(service: Service, request: FastifyRequest, reply: FastifyReply): void {
  const { log, clock } = service
  const declared = declaredPath(request)
  if (!log.isLevelEnabled('info') || looks.includes(declared)) return
  const start = clock.now()
  const { address } = sourceAddress({ service, request, reply })
  const { raw } = reply
  raw.once('close', () => {
    if (declared === undefined && raw.statusCode < 400) return
    const { method, url } = request.raw
    log.info(
      {
        method,
        path: withoutSecrets(url ?? ''),
        status: raw.statusCode,
        ms: clock.now() - start,
        address,
        ...(!raw.writableFinished && { aborted: true }),
      },
      'request',
    )
  })
}

/** Revoking a token names it in the path (specification §4). */
const tokenInPath = /(\/me\/token\/)[^/]+/

function withoutSecrets(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  return path.includes('/token/') ? path.replace(tokenInPath, '$1…') : path
}
