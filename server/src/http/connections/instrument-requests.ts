import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '@svc/contract'

/** Requests that transfer a file's bytes. */
export type Transfer = 'upload' | 'download' | 'archive'

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

/** Instrumentation of a route. */
interface InstrumentedRoute {
  readonly path?: string
  readonly transfer?: Transfer
}

export function instrumentedAs(
  { path, download, response: content }: Endpoint,
  body: 'json' | 'bytes',
): InstrumentedRoute {
  if (body === 'bytes') return { path, transfer: 'upload' }
  if (download !== true) return { path }
  return { path, transfer: content.type === 'application/zip' ? 'archive' : 'download' }
}

/** The route template of a request; undefined for static files and unknown routes. */
export const declaredPath = ({ routeOptions }: FastifyRequest): string | undefined =>
  (routeOptions.config as InstrumentedRoute).path

/** Whether the route of a request receives a file. */
export const isUpload = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as InstrumentedRoute).transfer === 'upload'

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

function startedRequest({ routeOptions, method, raw }: FastifyRequest, prefix: string): StartedRequest {
  const { url, config } = routeOptions
  const { path, transfer } = config as InstrumentedRoute
  return {
    route: path ?? (url === undefined ? 'none' : url.slice(prefix.length) || '/'),
    method: methods.has(method) ? method : 'other',
    transfer: methodsWithoutContent.has(method) ? null : (transfer ?? null),
    socket: raw.socket,
  }
}
