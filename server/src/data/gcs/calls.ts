import type { ByteRange } from '../backend/backend.ts'
import type { GcsCredentials } from './credentials.ts'
import { rangeHeader } from '../network/byte-range.ts'
import type { StoreResponse, StoreClient, StoreRequest } from '../network/client.ts'
import { expectContainer, inContainer } from '../network/missing-container.ts'

/**
 * The requests of Google Cloud Storage's JSON API that the backend uses, without retries. They reject with
 * MissingContainerError when the bucket does not exist, which Google reports like a missing object.
 */
export interface GcsCalls {
  /**
   * Resolves when the bucket exists and can be accessed.
   * @throws MissingContainerError
   */
  readonly requireBucket: (signal?: AbortSignal) => Promise<void>
  /** Stores a small object in one request, unless the name exists. */
  readonly insert: (name: string, body: Uint8Array, signal: AbortSignal) => Promise<StoreResponse>
  /** Starts a resumable upload of an object that does not exist yet. The header `Location` of the response is its session. */
  readonly startSession: (name: string, signal: AbortSignal) => Promise<StoreResponse>
  /** A request to a session, whose URL needs no other credentials. */
  readonly session: StoreClient
  readonly describe: (name: string) => Promise<StoreResponse>
  /**
   * Reads an object, or a range of it.
   * @param generation generation of the object; any when absent
   */
  readonly read: (name: string, range?: ByteRange, generation?: string) => Promise<StoreResponse>
  readonly remove: (name: string) => Promise<StoreResponse>
  /** Composes a new object from at most 32 others, which stay, unless the name exists. */
  readonly compose: (name: string, sources: readonly string[], signal: AbortSignal) => Promise<StoreResponse>
  /**
   * A page of the names with a prefix, in order, starting at `from`.
   * @param page token from the previous page
   */
  readonly list: (prefix: string, from: string, page: string) => Promise<StoreResponse>
  /**
   * A page of the objects with a prefix, with sizes and times, in the order of names.
   * @param page as for `list`
   */
  readonly listWithSizes: (prefix: string, page: string) => Promise<StoreResponse>
}

export interface GcsBucket {
  readonly bucket: string
  /** Address of the service without a slash at the end. */
  readonly endpoint: string
}

/** A condition of uploads: the name does not exist. */
const isNew = 'ifGenerationMatch=0'

export function gcsCalls(client: StoreClient, credentials: GcsCredentials, place: GcsBucket): GcsCalls {
  const bucket = `/storage/v1/b/${encodeURIComponent(place.bucket)}`
  const objectOf = (name: string) => `${place.endpoint}${bucket}/o/${encodeURIComponent(name)}`
  const uploadOf = (type: string, name: string) =>
    `${place.endpoint}/upload${bucket}/o?uploadType=${type}&name=${encodeURIComponent(name)}&${isNew}`

  const callAny = async (request: StoreRequest): Promise<StoreResponse> => {
    const send = async () =>
      client({ ...request, headers: { ...(await credentials.headers()), ...request.headers } })
    const response = await send()
    if (response.status !== 401) return response
    response.destroy()
    credentials.refresh()
    return send()
  }
  const requireBucket = async (signal?: AbortSignal) => {
    const url = `${place.endpoint}${bucket}/o?maxResults=1`
    const response = await callAny({ method: 'GET', url, ...(signal && { signal }) })
    await expectContainer({ kind: 'bucket', name: place.bucket, option: 'Bucket' }, response, 200)
  }
  const call = async (request: StoreRequest): Promise<StoreResponse> =>
    inContainer(await callAny(request), () => requireBucket(request.signal))
  return {
    session: client,
    requireBucket,
    insert: (name, body, signal) =>
      call({ method: 'POST', url: uploadOf('media', name), headers: binary, body, signal }),
    startSession: (name, signal) =>
      call({
        method: 'POST',
        url: uploadOf('resumable', name),
        headers: binaryToCome,
        body: new Uint8Array(),
        signal,
      }),
    describe: (name) => call({ method: 'GET', url: objectOf(name) }),
    read: (name, range, generation) =>
      call({
        method: 'GET',
        url: `${objectOf(name)}?alt=media${generation === undefined ? '' : `&generation=${generation}`}`,
        ...(range !== undefined && { headers: { range: rangeHeader(range) } }),
      }),
    remove: (name) => call({ method: 'DELETE', url: objectOf(name) }),
    compose: (name, sources, signal) =>
      call({
        method: 'POST',
        url: `${objectOf(name)}/compose?${isNew}`,
        headers: json,
        body: Buffer.from(
          JSON.stringify({
            sourceObjects: sources.map((source) => ({ name: source })),
            destination: { contentType: binary['content-type'] },
          }),
        ),
        signal,
      }),
    list: (prefix, from, page) => {
      const query = { prefix, startOffset: from, fields: 'items/name,nextPageToken' }
      const search = new URLSearchParams(page === '' ? query : { ...query, pageToken: page })
      return call({ method: 'GET', url: `${place.endpoint}${bucket}/o?${search.toString()}` })
    },
    listWithSizes: (prefix, page) => {
      const query = { prefix, fields: 'items(name,size,updated),nextPageToken' }
      const search = new URLSearchParams(page === '' ? query : { ...query, pageToken: page })
      return call({ method: 'GET', url: `${place.endpoint}${bucket}/o?${search.toString()}` })
    },
  }
}

const json = { 'content-type': 'application/json' }
const binary = { 'content-type': 'application/octet-stream' }
const binaryToCome = { 'x-upload-content-type': 'application/octet-stream' }
