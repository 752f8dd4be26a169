import { Readable } from 'node:stream'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import * as Type from 'typebox'
import { File, Upload, type Page } from '@svc/contract'

/** A page with fewer files is serialized as a whole. */
const maxUnchunkedFiles = 250

/**
 * The schemas of the elements of large responses: as those of whole responses, they omit unknown fields. As single
 * objects, they are compiled only once.
 */
const uploadSchema = { ...Upload }
const headSchema = { ...Type.Omit(Upload, ['files']) }
const fileSchema = { ...File }

/** Characters after which a chunk is sent and other requests can run. */
const chunkLength = 65_536

/**
 * Sends a page of uploads. A large page is sent in chunks, so that its whole text is not in memory and serializing it
 * does not block other requests.
 */
export function sendPage(reply: FastifyReply, page: Page<Upload>): FastifyReply | Page<Upload> {
  const files = page.results.reduce((sum, upload) => sum + upload.files.length, 0)
  if (files < maxUnchunkedFiles) return page
  const { results, ...head } = page
  const write = reply.compileSerializationSchema(uploadSchema)
  const serialize = (upload: Upload) => write({ ...upload })
  return sendInChunks(reply, {
    head: JSON.stringify(head),
    property: 'results',
    batches: [results],
    serialize,
  })
}

/**
 * Sends an upload whose files are read while they are sent.
 * @param rest its files after those of `upload`
 */
export function sendUpload(
  reply: FastifyReply,
  { files, ...upload }: Upload,
  rest: AsyncIterable<readonly File[]>,
): FastifyReply {
  const head = reply.compileSerializationSchema(headSchema)({ ...upload })
  async function* batches() {
    yield files
    yield* rest
  }
  const write = reply.compileSerializationSchema(fileSchema)
  const serialize = (file: File) => write({ ...file })
  return sendInChunks(reply, { head, property: 'files', batches: batches(), serialize })
}

/** A JSON object whose last property is a long array. */
interface LongObject<Element> {
  /** The object without this property, as JSON. */
  readonly head: string
  readonly property: string
  readonly batches: Iterable<readonly Element[]> | AsyncIterable<readonly Element[]>
  readonly serialize: (element: Element) => string
}

const sendInChunks = <Element>(reply: FastifyReply, object: LongObject<Element>) =>
  reply.type('application/json; charset=utf-8').send(Readable.from(chunksOf(object), { objectMode: false }))

async function* chunksOf<Element>({ head, property, batches, serialize }: LongObject<Element>) {
  let chunk = `${head.slice(0, -1)},"${property}":[`
  let separator = ''
  for await (const batch of batches) {
    for (const element of batch) {
      chunk += separator + serialize(element)
      separator = ','
      if (chunk.length < chunkLength) continue
      yield chunk
      chunk = ''
      await nextIteration()
    }
  }
  yield `${chunk}]}`
}
