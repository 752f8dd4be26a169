import { Readable } from 'node:stream'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import * as Type from 'typebox'
import { File, Upload, type Page } from '@svc/contract'
import type { ListedUpload, UploadList } from '../../core/uploads/list-uploads.ts'

/**
 * The schemas of the elements of large responses: as those of whole responses, they omit unknown fields. As single
 * objects, they are compiled only once.
 */
const uploadSchema = { ...Upload }
const headSchema = { ...Type.Omit(Upload, ['files']) }
const fileSchema = { ...File }

/** Characters after which a chunk is sent and other requests can run. */
const chunkLength = 16_384

/**
 * Sends a page of uploads. All but small pages are sent in chunks, each read when the client has received the one before:
 * a page may have megabytes of names and comments.
 * @param head the page without its uploads
 */
export async function sendPage(
  reply: FastifyReply,
  head: Page<never>,
  { uploads, isOneBatch }: Pick<UploadList, 'uploads' | 'isOneBatch'>,
): Promise<FastifyReply | Page<Upload>> {
  if (isOneBatch) {
    const listed = (await Array.fromAsync(uploads)).flat()
    // An upload has more files than were counted if some were added meanwhile.
    if (listed.every(({ rest }) => rest === null))
      return { ...head, results: listed.map(({ upload }) => upload) }
    return sendInChunks(reply, pageText(reply, head, [listed]))
  }
  return sendInChunks(reply, pageText(reply, head, uploads))
}

/** Sends an upload whose files are read while they are sent. */
export const sendUpload = (reply: FastifyReply, upload: ListedUpload): FastifyReply =>
  sendInChunks(reply, uploadText(serializersOf(reply), upload))

interface Serializers {
  readonly upload: (upload: Upload) => string
  readonly head: (upload: Omit<Upload, 'files'>) => string
  readonly file: (file: File) => string
}

/** Objects are copied, because they are readonly and the framework's types are not. */
function serializersOf(reply: FastifyReply): Serializers {
  const upload = reply.compileSerializationSchema(uploadSchema)
  const head = reply.compileSerializationSchema(headSchema)
  const file = reply.compileSerializationSchema(fileSchema)
  return {
    upload: (value) => upload({ ...value }),
    head: (value) => head({ ...value }),
    file: (value) => file({ ...value }),
  }
}

async function* pageText(
  reply: FastifyReply,
  head: Page<never>,
  uploads: Iterable<readonly ListedUpload[]> | AsyncIterable<readonly ListedUpload[]>,
): AsyncGenerator<string> {
  const serializers = serializersOf(reply)
  yield `${JSON.stringify({ ...head, results: undefined }).slice(0, -1)},"results":[`
  let separator = ''
  for await (const batch of uploads)
    for (const listed of batch) {
      yield separator
      separator = ','
      if (listed.rest === null) yield serializers.upload(listed.upload)
      else yield* uploadText(serializers, listed)
    }
  yield ']}'
}

async function* uploadText(
  serializers: Serializers,
  { upload: { files, ...upload }, rest }: ListedUpload,
): AsyncGenerator<string> {
  yield `${serializers.head(upload).slice(0, -1)},"files":[`
  let separator = ''
  for await (const batch of batchesOf(files, rest))
    for (const file of batch) {
      yield separator + serializers.file(file)
      separator = ','
    }
  yield ']}'
}

async function* batchesOf(first: readonly File[], rest: ListedUpload['rest']) {
  yield first
  if (rest !== null) yield* rest
}

/** Sends a text in chunks, each made when the client has received the one before. */
export const sendInChunks = (
  reply: FastifyReply,
  texts: AsyncIterable<string> | Iterable<string>,
  type = 'application/json; charset=utf-8',
): FastifyReply =>
  reply.type(type).send(Readable.from(chunksOf(texts), { objectMode: false, highWaterMark: chunkLength }))

/** Joins short texts to chunks. Other requests can run between two chunks. */
async function* chunksOf(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const text of texts) {
    chunk += text
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
    await nextIteration()
  }
  if (chunk !== '') yield chunk
}
