import { Readable } from 'node:stream'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { Upload, type Page } from '@svc/contract'

/** A page with fewer files is serialized at once. */
const maxFilesAtOnce = 250

/**
 * The schema that the framework uses for whole pages: it omits unknown fields. As a single object, it is compiled only
 * once.
 */
const uploadSchema = { ...Upload }

/** Characters after which a chunk is sent and other requests can run. */
const chunkLength = 65_536

/**
 * Sends a page of uploads. A large page is sent in chunks, so that its whole text is not in memory and serializing it
 * does not block other requests.
 */
export function sendPage(reply: FastifyReply, page: Page<Upload>): FastifyReply | Page<Upload> {
  const files = page.results.reduce((sum, upload) => sum + upload.files.length, 0)
  if (files < maxFilesAtOnce) return page
  const write = reply.compileSerializationSchema(uploadSchema)
  return reply
    .type('application/json; charset=utf-8')
    .send(Readable.from(chunks(page, write), { objectMode: false }))
}

async function* chunks(
  { results, ...head }: Page<Upload>,
  write: (upload: Record<string, unknown>) => string,
) {
  let chunk = `${JSON.stringify(head).slice(0, -1)},"results":[`
  for (const [at, upload] of results.entries()) {
    chunk += (at === 0 ? '' : ',') + write({ ...upload })
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
    await nextIteration()
  }
  yield `${chunk}]}`
}
