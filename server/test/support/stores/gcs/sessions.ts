import { finished } from 'node:stream/promises'
import { describeObject, type GcsSession } from './objects.ts'
import { error, type GcsCall } from './call.ts'

/** Chunks other than the last are multiples of this. */
const granule = 256 * 1024

/** `Content-Range` of a chunk (`bytes 0-9/*`), of the last one (`bytes 0-9/10`) or of a query (`bytes *`+`/*`). */
interface ChunkRange {
  /** Absent in a query. */
  readonly start?: number
  readonly end?: number
  /** Bytes of the whole object, if the client knows them. */
  readonly total?: number
}

/** A request to the session of a resumable upload: a chunk, a query or its end. */
export async function receiveChunk(call: GcsCall, id: string): Promise<void> {
  const { request, reply, bucket, bucketName } = call
  const session = bucket.sessions.get(id)
  const range = parseRange(request.headers['content-range'])
  if (session === undefined) {
    request.resume()
    reply(404, error(404, 'No such upload session'))
    return
  }
  if (request.method === 'DELETE') {
    request.resume()
    bucket.sessions.delete(id)
    reply(499)
    return
  }
  // Bytes count as they arrive, so a chunk that is cut may be stored in part: then only its whole granules
  // are.
  await receive(call, session, range)
  if (session.finished !== undefined) {
    reply(200, describeObject(bucketName, session.finished))
    return
  }
  const { length } = session.received
  const chunk = range.start === undefined || range.end === undefined ? 0 : range.end - range.start
  if (range.total === undefined && chunk % granule !== 0) {
    reply(400, error(400, 'Invalid request. The number of bytes uploaded must be a multiple of 262144.'))
    return
  }
  if (range.total !== length) {
    reply(308, '', length === 0 ? {} : { range: `bytes=0-${String(length - 1)}` })
    return
  }
  if (!bucket.holds(session.name, session.condition)) {
    reply(412, error(412, 'At least one of the pre-conditions you specified did not hold.'))
    return
  }
  const { name, contentType, received: data } = session
  session.finished = bucket.put({ name, data, contentType })
  reply(200, describeObject(bucketName, session.finished))
}

async function receive({ request }: GcsCall, session: GcsSession, range: ChunkRange): Promise<void> {
  const chunks: Buffer[] = []
  let isWhole = false
  // A query that follows a cut chunk may arrive before the end of the cut connection.
  const previous = session.lastRequest
  const { promise, resolve } = Promise.withResolvers<undefined>()
  session.lastRequest = promise
  // A loop over the request would lose the chunks that wait for it when the connection ends.
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  try {
    await finished(request)
    isWhole = true
  } finally {
    await previous
    const bytes = Buffer.concat(chunks)
    const stored = bytes.subarray(0, isWhole ? bytes.length : bytes.length - (bytes.length % granule))
    const known = session.received.length - (range.start ?? 0)
    // Bytes that are already stored are skipped; a gap is never filled.
    if (session.finished === undefined && known >= 0 && stored.length > known)
      session.received = Buffer.concat([session.received, stored.subarray(known)])
    resolve(undefined)
  }
}

function parseRange(header: string | undefined): ChunkRange {
  const [, part, total] = /^bytes (\d+-\d+|\*)\/(\d+|\*)$/.exec(header ?? '') ?? []
  const [start, last] = (part ?? '*').split('-').map(Number)
  return {
    ...(start !== undefined && last !== undefined && { start, end: last + 1 }),
    ...(total !== undefined && total !== '*' && { total: Number(total) }),
  }
}
