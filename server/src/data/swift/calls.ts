import type { ByteRange } from '../backend/backend.ts'
import { rangeHeader } from '../network/byte-range.ts'
import type { StoreResponse, StoreClient, StoreRequest, StreamedBody } from '../network/client.ts'
import { expectContainer, inContainer } from '../network/missing-container.ts'
import type { SwiftSession } from './session.ts'

/**
 * The requests of Swift's API that the backend uses, without retries. Names are those of objects.
 * Those of objects reject with MissingContainerError when the container does not exist, which Swift reports like a missing
 * object.
 * None is a HEAD: Swift 2.30 sends a body after the 404 of one, at which HTTP on a kept connection breaks.
 */
export interface SwiftCalls {
  /** The limits of the cluster, which some clusters do not publish. */
  readonly limits: () => Promise<StoreResponse>
  /** @throws MissingContainerError */
  readonly requireContainer: (signal?: AbortSignal) => Promise<void>
  readonly makeContainer: () => Promise<StoreResponse>
  readonly put: (name: string, body: Uint8Array | StreamedBody, signal: AbortSignal) => Promise<StoreResponse>
  /** Creates a large object from the segments in the JSON. */
  readonly putManifest: (name: string, json: string, signal?: AbortSignal) => Promise<StoreResponse>
  /** The headers of an object; of a large one, not those of its segments. */
  readonly describe: (name: string) => Promise<StoreResponse>
  readonly get: (name: string, range?: ByteRange) => Promise<StoreResponse>
  readonly remove: (name: string) => Promise<StoreResponse>
  /** Removes a large object with its segments. The JSON of the response contains the result. */
  readonly removeLarge: (name: string) => Promise<StoreResponse>
  /**
   * A page of the names with a prefix, one per line, in order.
   * @param after the last name of the previous page
   */
  readonly list: (prefix: string, after: string) => Promise<StoreResponse>
  /** The same as JSON, with sizes and times. */
  readonly listWithSizes: (prefix: string, after: string) => Promise<StoreResponse>
  /** The list of the segments of a large object; of any other object, its bytes. */
  readonly manifest: (name: string) => Promise<StoreResponse>
}

const binary = { 'content-type': 'application/octet-stream' }
const json = { 'content-type': 'application/json', accept: 'application/json' }

export function swiftCalls(client: StoreClient, session: SwiftSession, container: string): SwiftCalls {
  /** @param path below the account */
  const call = async (path: string, request: Omit<StoreRequest, 'url'>): Promise<StoreResponse> => {
    const attempt = async () => {
      const access = await session.access()
      const headers = { ...request.headers, 'x-auth-token': access.token }
      const response = await client({ ...request, url: `${access.storageURL}/${path}`, headers })
      return { access, response }
    }
    const { access, response } = await attempt()
    if (response.status !== 401) return response
    response.destroy()
    session.invalidate(access)
    return (await attempt()).response
  }
  const place = encodeURIComponent(container)
  const requireContainer = async (signal?: AbortSignal) => {
    const response = await call(`${place}?limit=1`, { method: 'GET', ...(signal && { signal }) })
    await expectContainer({ kind: 'container', name: container, option: 'Container' }, response, 200, 204)
  }
  /** A request within the container. */
  const inside = async (path: string, request: Omit<StoreRequest, 'url'>): Promise<StoreResponse> =>
    inContainer(await call(path, request), () => requireContainer(request.signal))
  // Keys are letters and digits, so a slash only separates a key from its segments.
  const objectAt = (name: string, query = '') => `${place}/${name}${query}`

  const listAs = (type: string, prefix: string, after: string) =>
    inside(`${place}?limit=1000&prefix=${encodeURIComponent(prefix)}&marker=${encodeURIComponent(after)}`, {
      method: 'GET',
      headers: { accept: type },
    })

  return {
    async limits() {
      const { storageURL } = await session.access()
      return client({ method: 'GET', url: `${storageURL.replace(/\/v1(\/.*)?$/, '')}/info` })
    },
    requireContainer,
    makeContainer: () => call(place, { method: 'PUT', body: new Uint8Array() }),
    put: (name, body, signal) => inside(objectAt(name), { method: 'PUT', headers: binary, body, signal }),
    putManifest: (name, manifest, signal) =>
      inside(objectAt(name, '?multipart-manifest=put'), {
        method: 'PUT',
        headers: json,
        body: Buffer.from(manifest),
        ...(signal && { signal }),
      }),
    describe: (name) =>
      inside(objectAt(name, '?multipart-manifest=get'), { method: 'GET', headers: { range: 'bytes=0-0' } }),
    get: (name, range) =>
      inside(objectAt(name), {
        method: 'GET',
        ...(range !== undefined && { headers: { range: rangeHeader(range) } }),
      }),
    remove: (name) => inside(objectAt(name), { method: 'DELETE' }),
    removeLarge: (name) =>
      inside(objectAt(name, '?multipart-manifest=delete'), {
        method: 'DELETE',
        headers: { accept: json.accept },
      }),
    list: (prefix, after) => listAs('text/plain', prefix, after),
    listWithSizes: (prefix, after) => listAs('application/json', prefix, after),
    manifest: (name) => inside(objectAt(name, '?multipart-manifest=get'), { method: 'GET' }),
  }
}
