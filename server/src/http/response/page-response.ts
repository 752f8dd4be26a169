import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { Upload, type Page } from '@svc/contract'

/** A page with fewer files than this is small enough to be written in one go. */
const smallPage = 250

/** As the framework writes whole pages: what the description has not is never told. One object, by which it is compiled once. */
const described = { ...Upload }

/** Characters after which a piece goes out, and others get their turn. */
const pieceLength = 65_536

/**
 * Answers a page of uploads; a large one in pieces, so that neither its whole text is in memory nor others wait while it is made.
 */
export function sendPage(reply: FastifyReply, page: Page<Upload>): FastifyReply | Page<Upload> {
  const files = page.results.reduce((sum, upload) => sum + upload.files.length, 0)
  if (files < smallPage) return page
  const write = reply.compileSerializationSchema(described)
  return reply
    .type('application/json; charset=utf-8')
    .send(Readable.from(pieces(page, write), { objectMode: false }))
}

async function* pieces(
  { results, ...head }: Page<Upload>,
  write: (upload: Record<string, unknown>) => string,
) {
  let piece = `${JSON.stringify(head).slice(0, -1)},"results":[`
  for (const [at, upload] of results.entries()) {
    piece += (at === 0 ? '' : ',') + write({ ...upload })
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
    await nextTurn()
  }
  yield `${piece}]}`
}
