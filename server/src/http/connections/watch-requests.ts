import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '@svc/contract'

/** What moves a file's bytes, and so lasts as long as they take. */
export type Transfer = 'upload' | 'download' | 'archive'

export interface BegunRequest {
  /** The template of its route, such as `/upload/{uploadID}`: never what a client made up. `none` where there is none. */
  readonly route: string
  /** `other` for what no route of ours has. */
  readonly method: string
  readonly transfer: Transfer | null
  readonly socket: Socket
}

/** Told of each request as it begins. @returns called once, with the status or `aborted`, as it is over */
export type WatchRequest = (begun: BegunRequest) => (status: string) => void

/** What a line of the route table tells a watcher. */
interface Watched {
  readonly path?: string
  readonly transfer?: Transfer
}

export function watchedAs({ path, download, response: answer }: Endpoint, body: 'json' | 'bytes'): Watched {
  if (body === 'bytes') return { path, transfer: 'upload' }
  if (download !== true) return { path }
  return { path, transfer: answer.type === 'application/zip' ? 'archive' : 'download' }
}

/** The template of a request's route where that is one of ours; none where files of the page are. */
export const declaredPath = ({ routeOptions }: FastifyRequest): string | undefined =>
  (routeOptions.config as Watched).path

/** Whether the body of a request is a file, as its route says. */
export const isUpload = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as Watched).transfer === 'upload'

/** Has all requests watched, before anything else looks at them. Nothing is added where nobody watches. */
export function watchRequests(app: FastifyInstance, prefix: string, watch: WatchRequest): void {
  app.addHook('onRequest', (request, reply, done) => {
    const end = watch(begun(request, prefix))
    const { raw } = reply
    raw.once('close', () => {
      end(raw.writableFinished ? String(raw.statusCode) : 'aborted')
    })
    done()
  })
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Of these no bytes of a file go anywhere. */
const bare: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS'])

function begun({ routeOptions, method, raw }: FastifyRequest, prefix: string): BegunRequest {
  const { url, config } = routeOptions
  const { path, transfer } = config as Watched
  return {
    route: path ?? (url === undefined ? 'none' : url.slice(prefix.length) || '/'),
    method: methods.has(method) ? method : 'other',
    transfer: bare.has(method) ? null : (transfer ?? null),
    socket: raw.socket,
  }
}
