import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describeObject, gcsBucket, type GcsBucket, type GcsObject } from './objects.ts'
import { replyTo, bodyOf, error, type SendReply, type GcsCall } from './call.ts'
import { faultOfAddress, type GcsSigner } from './signed-urls.ts'
import { compose } from './compose.ts'
import { receiveChunk } from './sessions.ts'

export interface GcsServer {
  /** Address without a slash at the end. */
  readonly endpoint: string
  readonly bucketName: string
  readonly bucket: GcsBucket
  /** Accepted bearer tokens; with none, every client is accepted. */
  readonly tokens: Set<string>
  /** `Content-Range` of every chunk and query, in their order. */
  readonly ranges: string[]
  close(): Promise<void>
}

/**
 * A small server of Google Cloud Storage's JSON API with one bucket, in memory, since neither Debian nor npm has one.
 *
 * It was written after the exchanges of Google's own client 8.4 and after the documentation of the service ("Resumable
 * uploads", "Performing resumable uploads", "Request preconditions", "HTTP status and error codes"), and does what they
 * say of: uploads of the types `media` and `resumable`, in one or many chunks of multiples of 256 KiB, 308 with and
 * without `Range`, the query `bytes *`+`/*`, a query for a finished session, conditions on the generation (412) at the
 * beginning and at the end of an upload, cancelled sessions (499), reading with `alt=media`, one range (206, 416) and
 * `generation`, checksums in headers, errors as JSON and as text, deleting, listing by prefix and `startOffset` in pages,
 * composing, and tokens (401).
 *
 * With a signer, it serves the objects at signed addresses of its key as well, as the XML API does.
 *
 * What it does not show: how the real service persists only a part of a chunk, how fast it is, its limits on the rate of
 * requests, signatures, access control, encryption, soft deletion and object versions, and the life of sessions.
 */
export async function startGcsServer(signer?: GcsSigner): Promise<GcsServer> {
  const bucketName = 'svc-test'
  const bucket = gcsBucket()
  const tokens = new Set<string>()
  const ranges: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', `http://${String(request.headers.host)}`)
    ranges.push(...(request.headersDistinct['content-range'] ?? []))
    const sessionId = url.searchParams.get('upload_id')
    if (signer !== undefined && url.searchParams.has('X-Goog-Signature')) {
      serveSigned({ request: request.resume(), url, reply: replyTo(response), bucket, bucketName }, signer)
      return
    }
    const isKnown = tokens.has((request.headers.authorization ?? '').replace('Bearer ', ''))
    const call = { request, url, reply: replyTo(response), bucket, bucketName }
    const handled =
      // The address of a session is its credential.
      sessionId === null && tokens.size > 0 && !isKnown
        ? refuseBody(call, 401, 'Invalid Credentials')
        : route(call, sessionId)
    // A cut request gets no response.
    handled.catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    ...{ bucketName, bucket, tokens, ranges },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function route(call: GcsCall, sessionId: string | null): Promise<void> {
  const { request, url, reply, bucketName } = call
  const [, isUpload, path = ''] = /^(\/upload)?\/storage\/v1\/b\/(.*)$/.exec(url.pathname) ?? []
  const [name, kind, object, action] = path.split('/').map(decodeURIComponent)
  if (name !== bucketName || kind !== 'o')
    return refuseBody(call, 404, 'The specified bucket does not exist.')
  if (isUpload !== undefined) {
    return request.method === 'POST' ? upload(call) : receiveChunk(call, sessionId ?? '')
  }
  if (object !== undefined && action === 'compose') return compose(call, object)
  request.resume()
  if (object === undefined) {
    list(call)
    return
  }
  switch (request.method ?? '') {
    case 'GET':
      read(call, object)
      return
    case 'DELETE':
      if (call.bucket.objects.delete(object)) reply(204)
      else reply(404, error(404, `No such object: ${bucketName}/${object}`))
      return
    default:
      reply(405, error(405, 'Method not allowed'))
  }
}

async function upload(call: GcsCall): Promise<void> {
  const { request, url, reply, bucket, bucketName } = call
  const name = url.searchParams.get('name') ?? ''
  const condition = url.searchParams.get('ifGenerationMatch')
  const body = await bodyOf(request)
  if (!bucket.holds(name, condition)) {
    reply(412, error(412, 'At least one of the pre-conditions you specified did not hold.'))
    return
  }
  const typeOf = (header: string) => request.headers[header]?.toString() ?? 'application/octet-stream'
  switch (url.searchParams.get('uploadType') ?? '') {
    case 'media':
      reply(
        200,
        describeObject(bucketName, bucket.put({ name, data: body, contentType: typeOf('content-type') })),
      )
      return
    case 'resumable': {
      const id = bucket.begin({ name, condition, contentType: typeOf('x-upload-content-type') })
      reply(200, '', { location: `${url.href}&upload_id=${id}` })
      return
    }
    default:
      reply(400, error(400, 'Unknown uploadType'))
  }
}

/** The object of a presigned URL, with the headers that the URL sets. */
function serveSigned(call: GcsCall, signer: GcsSigner): void {
  const { request, url, reply, bucket, bucketName } = call
  const fault = faultOfAddress(call, signer)
  const object = bucket.objects.get(decodeURIComponent(url.pathname.replace(`/${bucketName}/`, '')))
  if (fault !== null) reply(...fault)
  else if (object === undefined) reply(404, 'NoSuchKey')
  else {
    readMedia(object, request.headers.range, (status, body, headers) => {
      const type = url.searchParams.get('response-content-type') ?? object.contentType
      const disposition = url.searchParams.get('response-content-disposition')
      reply(status, body, {
        ...{ ...headers, 'content-type': type, 'cache-control': 'private, max-age=0' },
        ...(disposition !== null && { 'content-disposition': disposition }),
      })
    })
  }
}

function read({ request, url, reply, bucket, bucketName }: GcsCall, name: string): void {
  const object = bucket.objects.get(name)
  const isMedia = url.searchParams.get('alt') === 'media'
  const generation = url.searchParams.get('generation')
  if (object === undefined || (generation !== null && generation !== object.generation)) {
    const message = `No such object: ${bucketName}/${name}`
    reply(404, isMedia ? message : error(404, message))
    return
  }
  if (isMedia) readMedia(object, request.headers.range, reply)
  else reply(200, describeObject(bucketName, object))
}

function readMedia(object: GcsObject, range: string | undefined, reply: SendReply): void {
  const { data } = object
  const headers = {
    ...{ 'content-type': object.contentType, 'x-goog-generation': object.generation },
    ...{ 'x-goog-stored-content-length': String(data.length), 'x-goog-stored-content-encoding': 'identity' },
    'x-goog-hash': `crc32c=${object.crc32c}${object.md5Hash === undefined ? '' : `,md5=${object.md5Hash}`}`,
  }
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  if (first === undefined) {
    reply(200, data, headers)
    return
  }
  const start = Number(first)
  const end = Math.min(data.length, last === '' ? Infinity : Number(last) + 1)
  if (start >= data.length) {
    reply(416, 'The requested range cannot be satisfied.', {
      'content-range': `bytes */${String(data.length)}`,
    })
    return
  }
  const part = `bytes ${String(start)}-${String(end - 1)}/${String(data.length)}`
  reply(206, data.subarray(start, end), { ...headers, 'content-range': part })
}

function list({ url, reply, bucket, bucketName }: GcsCall): void {
  const prefix = url.searchParams.get('prefix') ?? ''
  const after = url.searchParams.get('pageToken') ?? ''
  const first = url.searchParams.get('startOffset') ?? ''
  const most = Number(url.searchParams.get('maxResults') ?? 1000)
  const names = [...bucket.objects.keys()]
    .filter((name) => name.startsWith(prefix) && name > after && name >= first)
    .sort()
  const page = names.slice(0, most)
  reply(200, {
    kind: 'storage#objects',
    items: page.flatMap((name) => {
      const object = bucket.objects.get(name)
      return object === undefined ? [] : [describeObject(bucketName, object)]
    }),
    ...(names.length > most && { nextPageToken: page.at(-1) }),
  })
}

async function refuseBody({ request, reply }: GcsCall, status: number, message: string): Promise<void> {
  await bodyOf(request)
  reply(status, error(status, message))
}

/** Ids of sessions that are neither finished nor cancelled. */
export const unfinishedSessions = ({ bucket }: GcsServer) =>
  [...bucket.sessions].filter(([, { finished }]) => finished === undefined).map(([id]) => id)
