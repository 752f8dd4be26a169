import {
  endpointPath,
  type EndpointKey,
  type JsonEndpointKey,
  type PathValues,
  type RequestTo,
  type ResponseFrom,
} from '@svc/contract'
import type { Access } from './access.ts'
import { jsonOf, type ResponseText } from '../errors/api-error.ts'
import { requireSegments, withQuery, type QueryValues } from './paths.ts'
import type { Connection } from './connection.ts'

/** Options of a request in addition to the input of its endpoint. */
export interface CallOptions {
  readonly access?: Access | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

type Request<K extends EndpointKey> = RequestTo<K> & CallOptions
/** The argument is optional when the endpoint requires no input. */
type Arguments<K extends EndpointKey> =
  Partial<Request<K>> extends Request<K> ? [request?: Request<K>] : [request: Request<K>]

/** The parts of any request. */
interface AnyRequest extends CallOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: QueryValues
  readonly body?: unknown
}

/**
 * The path of an endpoint with its parameters filled in.
 * @throws RangeError when a value would make it the path of another endpoint
 */
export function pathTo<K extends EndpointKey>(key: K, values: PathValues<K>): string {
  requireSegments(values)
  return endpointPath(key, values)
}

/** Calls of the endpoints of the contract over a connection: paths, queries, bodies and responses have its types. */
export function endpointCalls(connection: Pick<Connection, 'call'>) {
  /** @throws RangeError as `pathTo` */
  const request = async <K extends EndpointKey>(
    key: K,
    ...[options]: Arguments<K>
  ): Promise<ResponseText> => {
    const { params = {}, query = {}, body, headers, signal, access }: AnyRequest = options ?? {}
    const [method = ''] = key.split(' ')
    const init = {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }
    return connection.call(withQuery(pathTo(key, params as PathValues<K>), query), init, access)
  }
  return {
    request,
    /**
     * The JSON of a response.
     * @throws ApiError `invalid_response` for other content; RangeError as `pathTo`
     */
    call: async <K extends JsonEndpointKey>(key: K, ...args: Arguments<K>): Promise<ResponseFrom<K>> =>
      jsonOf(await request(key, ...args)) as ResponseFrom<K>,
  }
}
