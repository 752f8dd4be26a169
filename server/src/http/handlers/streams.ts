import { receiveStream } from '../../core/streams/receive-stream.ts'
import { streamBroken } from '../../domain/errors.ts'
import { servedType } from '../../domain/files/media-type.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { headersSoFar } from '../response/reply.ts'
import type { RequestContext } from '../steps/chain.ts'
import { servedHeaders } from '../downloads/download-headers.ts'
import { downloadClientOf } from '../downloads/download-client.ts'
import { redirectToPage, showPageFirst } from '../downloads/page-first.ts'

type FileContext = RequestContext & {
  readonly upload: UploadRecord
  readonly file: FileRecord
  readonly address: string
}

/**
 * Sends a file while it is being received. A stream is sent once and completely, without validators, and HEAD does not
 * consume it.
 */
export async function downloadStream(context: FileContext) {
  const { service, request, reply, upload, file } = context
  if (showPageFirst(request, upload)) return redirectToPage(service, reply, upload)
  if (request.method === 'HEAD') return reply.headers(headersOf(context, '', file.fileSize || null)).send()
  const gone = new AbortController()
  const onClose = () => {
    gone.abort(streamBroken())
  }
  reply.raw.once('close', onClose)
  if (reply.raw.destroyed) onClose()
  const stream = await receiveStream(service, upload, file, {
    disconnected: gone.signal,
    client: downloadClientOf(context),
  })
  reply.raw.off('close', onClose)
  reply.hijack()
  reply.raw.writeHead(200, { ...headersSoFar(reply), ...headersOf(context, stream.type, stream.size) })
  // Send the head before the first byte: a live source may be slow.
  reply.raw.flushHeaders()
  await stream.send(reply.raw)
  return reply
}

function headersOf({ request, upload, file }: FileContext, type: string, size: number | null) {
  const description = { name: file.fileName, type: servedType(type, { e2ee: upload.e2ee !== '' }) }
  return {
    ...servedHeaders(request.query, upload, description),
    'accept-ranges': 'none',
    ...(size !== null && { 'content-length': String(size) }),
  }
}
