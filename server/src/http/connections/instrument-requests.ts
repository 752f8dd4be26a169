import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { routeConfig, routeTemplate, type Transfer } from '../request/route-template.ts'

export interface StartedRequest {
  /** The template of its route, such as `/upload/{uploadID}`: never text from a client. `none` for unknown routes. */
  readonly route: string
  /** `other` for methods that no route has. */
  readonly method: string
  readonly transfer: Transfer | null
  readonly socket: Socket
}

/**
 * Called at the start of each request.
 * @returns called once at its end, with the status or `aborted`
 */
export type InstrumentRequest = (started: StartedRequest) => (status: string) => void

/** Instruments all requests, before other hooks run. */
export function instrumentRequests(app: FastifyInstance, prefix: string, watch: InstrumentRequest): void {
  app.addHook('onRequest', (request, reply, done) => {
    const end = watch(startedRequest(request, prefix))
    const { raw } = reply
    raw.once('close', () => {
      end(raw.writableFinished ? String(raw.statusCode) : 'aborted')
    })
    done()
  })
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Methods that transfer no bytes of a file. */
const methodsWithoutContent: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS'])

function startedRequest(request: FastifyRequest, prefix: string): StartedRequest {
  const { method, raw } = request
  return {
    route: routeTemplate(request, prefix),
    method: methods.has(method) ? method : 'other',
    transfer: methodsWithoutContent.has(method) ? null : (routeConfig(request).transfer ?? null),
    socket: raw.socket,
  }
}
