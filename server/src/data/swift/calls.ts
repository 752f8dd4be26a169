import type { ByteRange } from '../backend/backend.ts'
import { rangeHeader } from '../network/byte-range.ts'
import type { StoreAnswer, StoreClient, StoreRequest, StreamedBody } from '../network/client.ts'
import type { SwiftSession } from './session.ts'

/**
 * The requests of Swift's API that a store of files needs, each asked once. Names are those of objects.
 * None is a HEAD: Swift 2.30 sends a body after the 404 of one, at which HTTP on a kept connection breaks.
 */
export interface SwiftCalls {
  /** What the cluster tells of its limits. Some tell nothing. */
  readonly limits: () => Promise<StoreAnswer>
  readonly findContainer: (signal?: AbortSignal) => Promise<StoreAnswer>
  readonly makeContainer: () => Promise<StoreAnswer>
  readonly put: (name: string, body: Uint8Array | StreamedBody, signal: AbortSignal) => Promise<StoreAnswer>
  /** Makes one large object of segments, which are in its JSON. */
  readonly putManifest: (name: string, json: string, signal?: AbortSignal) => Promise<StoreAnswer>
  /** The headers of an object; of a large one, not those of its segments. */
  readonly describe: (name: string) => Promise<StoreAnswer>
  readonly get: (name: string, range?: ByteRange) => Promise<StoreAnswer>
  readonly remove: (name: string) => Promise<StoreAnswer>
  /** Removes a large object with its segments. What became of that is told in its JSON. */
  readonly removeLarge: (name: string) => Promise<StoreAnswer>
  /** Some names that begin with a prefix, one a line, in their order. @param after the last one of those before */
  readonly list: (prefix: string, after: string) => Promise<StoreAnswer>
  /** The same as JSON, with sizes and times. */
  readonly listWithSizes: (prefix: string, after: string) => Promise<StoreAnswer>
  /** The list of the segments of a large object; of any other object, its bytes. */
  readonly manifest: (name: string) => Promise<StoreAnswer>
}

const binary = { 'content-type': 'application/octet-stream' }
const json = { 'content-type': 'application/json', accept: 'application/json' }

export function swiftCalls(client: StoreClient, session: SwiftSession, container: string): SwiftCalls {
  /** @param path below the account */
  const ask = async (path: string, request: Omit<StoreRequest, 'url'>): Promise<StoreAnswer> => {
    const attempt = async () => {
      const access = await session.access()
      const headers = { ...request.headers, 'x-auth-token': access.token }
      const answer = await client({ ...request, url: `${access.storageURL}/${path}`, headers })
      return { access, answer }
    }
    const { access, answer } = await attempt()
    if (answer.status !== 401) return answer
    answer.cut()
    session.refused(access)
    return (await attempt()).answer
  }
  const place = encodeURIComponent(container)
  // Keys are letters and digits, so a slash only parts a key from its segments.
  const objectAt = (name: string, query = '') => `${place}/${name}${query}`

  const listAs = (type: string, prefix: string, after: string) =>
    ask(`${place}?limit=1000&prefix=${encodeURIComponent(prefix)}&marker=${encodeURIComponent(after)}`, {
      method: 'GET',
      headers: { accept: type },
    })

  return {
    async limits() {
      const { storageURL } = await session.access()
      return client({ method: 'GET', url: `${storageURL.replace(/\/v1(\/.*)?$/, '')}/info` })
    },
    findContainer: (signal) => ask(`${place}?limit=1`, { method: 'GET', ...(signal && { signal }) }),
    makeContainer: () => ask(place, { method: 'PUT', body: new Uint8Array() }),
    put: (name, body, signal) => ask(objectAt(name), { method: 'PUT', headers: binary, body, signal }),
    putManifest: (name, manifest, signal) =>
      ask(objectAt(name, '?multipart-manifest=put'), {
        ...{ method: 'PUT', headers: json, body: Buffer.from(manifest), ...(signal && { signal }) },
      }),
    describe: (name) =>
      ask(objectAt(name, '?multipart-manifest=get'), { method: 'GET', headers: { range: 'bytes=0-0' } }),
    get: (name, range) =>
      ask(objectAt(name), {
        method: 'GET',
        ...(range !== undefined && { headers: { range: rangeHeader(range) } }),
      }),
    remove: (name) => ask(objectAt(name), { method: 'DELETE' }),
    removeLarge: (name) =>
      ask(objectAt(name, '?multipart-manifest=delete'), {
        method: 'DELETE',
        headers: { accept: json.accept },
      }),
    list: (prefix, after) => listAs('text/plain', prefix, after),
    listWithSizes: (prefix, after) => listAs('application/json', prefix, after),
    manifest: (name) => ask(objectAt(name, '?multipart-manifest=get'), { method: 'GET' }),
  }
}
