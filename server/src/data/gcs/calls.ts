import type { ByteRange } from '../backend/backend.ts'
import type { GcsCredentials } from './credentials.ts'
import { rangeHeader } from '../network/byte-range.ts'
import type { StoreAnswer, StoreClient, StoreRequest } from '../network/client.ts'

/** The requests of Google Cloud Storage's JSON API that a store of files needs, each asked once. */
export interface GcsCalls {
  /** Whether the bucket is there, and may be used. */
  readonly probe: (signal?: AbortSignal) => Promise<StoreAnswer>
  /** Stores a small object in one request, unless there is one of the name. */
  readonly insert: (name: string, body: Uint8Array, signal: AbortSignal) => Promise<StoreAnswer>
  /** Begins a resumable upload of an object that does not exist yet. The answer's `Location` is its session. */
  readonly begin: (name: string, signal: AbortSignal) => Promise<StoreAnswer>
  /** A request to a session; its address is all it takes to be let in. */
  readonly session: StoreClient
  readonly describe: (name: string) => Promise<StoreAnswer>
  /** Reads an object, or a range of it. @param generation of the object that is meant; any when absent */
  readonly read: (name: string, range?: ByteRange, generation?: string) => Promise<StoreAnswer>
  readonly remove: (name: string) => Promise<StoreAnswer>
  /** Makes a new object of the bytes of others, at most 32, unless there is one of the name. They stay. */
  readonly compose: (name: string, of: readonly string[], signal: AbortSignal) => Promise<StoreAnswer>
  /** Some names that begin with a prefix, from one on, in their order. @param page the next one, as told before */
  readonly list: (prefix: string, from: string, page: string) => Promise<StoreAnswer>
  /** Some objects whose names begin with a prefix, with their sizes and times, in the order of names. @param page as for `list` */
  readonly listWithSizes: (prefix: string, page: string) => Promise<StoreAnswer>
}

export interface GcsPlace {
  readonly bucket: string
  /** Address of the service without a slash at the end. */
  readonly endpoint: string
}

/** A condition on uploads: no object of the name. */
const isNew = 'ifGenerationMatch=0'

export function gcsCalls(client: StoreClient, credentials: GcsCredentials, place: GcsPlace): GcsCalls {
  const bucket = `/storage/v1/b/${encodeURIComponent(place.bucket)}`
  const objectOf = (name: string) => `${place.endpoint}${bucket}/o/${encodeURIComponent(name)}`
  const uploadOf = (type: string, name: string) =>
    `${place.endpoint}/upload${bucket}/o?uploadType=${type}&name=${encodeURIComponent(name)}&${isNew}`

  const ask = async (request: StoreRequest): Promise<StoreAnswer> => {
    const send = async () =>
      client({ ...request, headers: { ...(await credentials.headers()), ...request.headers } })
    const answer = await send()
    if (answer.status !== 401) return answer
    answer.cut()
    credentials.renew()
    return send()
  }
  return {
    session: client,
    probe: (signal) =>
      ask({ method: 'GET', url: `${place.endpoint}${bucket}/o?maxResults=1`, ...(signal && { signal }) }),
    insert: (name, body, signal) =>
      ask({ method: 'POST', url: uploadOf('media', name), headers: binary, body, signal }),
    begin: (name, signal) =>
      ask({
        method: 'POST',
        url: uploadOf('resumable', name),
        headers: binaryToCome,
        body: new Uint8Array(),
        signal,
      }),
    describe: (name) => ask({ method: 'GET', url: objectOf(name) }),
    read: (name, range, generation) =>
      ask({
        method: 'GET',
        url: `${objectOf(name)}?alt=media${generation === undefined ? '' : `&generation=${generation}`}`,
        ...(range !== undefined && { headers: { range: rangeHeader(range) } }),
      }),
    remove: (name) => ask({ method: 'DELETE', url: objectOf(name) }),
    compose: (name, of, signal) =>
      ask({
        method: 'POST',
        url: `${objectOf(name)}/compose?${isNew}`,
        headers: json,
        body: Buffer.from(
          JSON.stringify({
            sourceObjects: of.map((source) => ({ name: source })),
            destination: { contentType: binary['content-type'] },
          }),
        ),
        signal,
      }),
    list: (prefix, from, page) => {
      const query = { prefix, startOffset: from, fields: 'items/name,nextPageToken' }
      const search = new URLSearchParams(page === '' ? query : { ...query, pageToken: page })
      return ask({ method: 'GET', url: `${place.endpoint}${bucket}/o?${search.toString()}` })
    },
    listWithSizes: (prefix, page) => {
      const query = { prefix, fields: 'items(name,size,updated),nextPageToken' }
      const search = new URLSearchParams(page === '' ? query : { ...query, pageToken: page })
      return ask({ method: 'GET', url: `${place.endpoint}${bucket}/o?${search.toString()}` })
    },
  }
}

const json = { 'content-type': 'application/json' }
const binary = { 'content-type': 'application/octet-stream' }
const binaryToCome = { 'x-upload-content-type': 'application/octet-stream' }
