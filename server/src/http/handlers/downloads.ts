import { pagePath } from '@svc/contract'
import { planArchive, prepareArchive } from '../../core/archive/archive.ts'
import { presignedURL, type PresignedHeaders } from '../../core/downloads/presigned-download.ts'
import { prepareFile, requireDownloadable, type Delivery } from '../../core/downloads/send-file.ts'
import { isStreaming } from '../../core/streams/receive-stream.ts'
import type { ByteRange } from '../../data/backend/backend.ts'
import { rangeNotSatisfiable, ServiceError } from '../../domain/errors.ts'
import { servedType } from '../../domain/files/media-type.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { headersSoFar } from '../response/error-response.ts'
import type { RequestContext } from '../chain/chain.ts'
import { evaluate, type ConditionalResult, type Validators } from '../downloads/conditional.ts'
import { directDisposition, followsRedirects } from '../downloads/presigned-redirect.ts'
import { contentDisposition } from '../downloads/disposition.ts'
import {
  askedDisposition,
  cacheControl,
  corsHeaders,
  entityTag,
  preflightHeaders,
  servedHeaders,
} from '../downloads/download-headers.ts'
import { showPageFirst } from '../downloads/page-first.ts'
import { pathParameter } from '../request/path-parameters.ts'
import { downloadStream } from './streams.ts'

type UploadContext = RequestContext & { readonly upload: UploadRecord }

/** Something that can be downloaded: what it is called and how it is fetched. */
interface Representation {
  readonly name: string
  readonly type: string
  readonly size: number
  readonly validators: Validators
  /** Milliseconds since the epoch. */
  readonly lastModified: number
  readonly prepare: (range: ByteRange) => Promise<Delivery>
  /** An address at which the store gives it away itself; null when only the service can. */
  readonly direct?: (headers: PresignedHeaders, range: ByteRange) => Promise<string | null>
}

export function preflight({ service, reply }: RequestContext) {
  return reply
    .code(204)
    .headers({ ...corsHeaders(service.config.svcDomain), ...preflightHeaders })
    .send()
}

export async function downloadFile(context: UploadContext & { readonly file: FileRecord }) {
  const { service, upload, file } = context
  if (isStreaming(upload, file)) return downloadStream(context)
  requireDownloadable(file)
  const lastModified = file.uploadedAt ?? file.createdAt
  return answer(context, {
    name: file.fileName,
    type: servedType(file.type, { e2ee: upload.e2ee !== '' }),
    size: file.fileSize,
    validators: { etag: entityTag(file), lastModified },
    lastModified,
    prepare: (range) => prepareFile(service, upload, file, range),
    direct: (headers, range) => presignedURL(service, upload, file, { headers, range }),
  })
}

export async function downloadArchive(context: UploadContext) {
  const { service, upload, request } = context
  const name = pathParameter(request, 'filename')
  const archive = await planArchive(service, upload, name)
  return answer(context, {
    name,
    type: upload.e2ee === '' ? 'application/zip' : servedType('application/zip', { e2ee: true }),
    size: archive.layout.size,
    // The newest file has its date still when another one was removed.
    validators: { etag: archive.layout.etag, lastModified: null },
    lastModified: Math.max(...archive.files.map((file) => file.uploadedAt ?? file.createdAt)),
    prepare: (range) => prepareArchive(service, archive, range),
  })
}

/** HEAD, validators and ranges (RFC 9110 §13, §14) over one representation, then its bytes. */
async function answer(context: UploadContext, what: Representation) {
  const { service, request, reply, upload } = context
  if (showPageFirst(request, upload)) {
    return reply.redirect(service.config.path + pagePath(upload.id), 302)
  }
  const headers = representationHeaders(request.query, upload, what)
  // Ranges are for GET (RFC 9110 §14.2).
  const conditions = request.method === 'HEAD' ? { ...request.headers, range: undefined } : request.headers
  // A one-shot download is always the whole: a part would use up the file without giving it.
  const outcome: ConditionalResult =
    upload.oneShot === 1 ? { status: 200 } : evaluate(conditions, what.validators, what.size)
  if (outcome.status === 304) return reply.code(304).headers(headers).send()
  if (outcome.status === 416) throw rangeNotSatisfiable(what.size)
  const range = outcome.status === 206 ? outcome : { start: 0, end: what.size - 1 }
  const address = await addressElsewhere(context, what, range)
  if (address !== null) return reply.headers(redirectHeaders).redirect(address, 302)
  switch (outcome.status) {
    case 206: {
      const { start, end } = range
      const contentRange = `bytes ${String(start)}-${String(end)}/${String(what.size)}`
      return send(context, what, range, 206, { ...headers, 'content-range': contentRange })
    }
    case 200:
      return send(context, what, range, 200, headers)
  }
}

/** The address is a secret for a while: it is neither kept nor told to others. */
const redirectHeaders = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } as const

/** Where a client can be sent to for the bytes; null when they have to come from here. */
async function addressElsewhere({ request, upload }: UploadContext, what: Representation, range: ByteRange) {
  if (what.direct === undefined || request.method === 'HEAD') return null
  if (!followsRedirects(request.headers)) return null
  const disposition = directDisposition(what.type, askedDisposition(request.query))
  if (disposition === null) return null
  const headers = {
    contentType: what.type,
    contentDisposition: contentDisposition(what.name, disposition),
    cacheControl: cacheControl(upload),
  }
  return what.direct(headers, range)
}

function representationHeaders(query: unknown, upload: UploadRecord, what: Representation) {
  return {
    ...servedHeaders(query, upload, what),
    etag: what.validators.etag,
    'last-modified': new Date(what.lastModified).toUTCString(),
    'accept-ranges': upload.oneShot === 1 ? 'none' : 'bytes',
  }
}

async function send(
  { request, reply }: RequestContext,
  what: Representation,
  range: ByteRange,
  status: 200 | 206,
  headers: Readonly<Record<string, string>>,
) {
  const length = range.end - range.start + 1
  const all = { ...headers, 'content-length': String(length) }
  if (request.method === 'HEAD') return reply.code(status).headers(all).send()
  const delivery = await what.prepare(range)
  try {
    await delivery.send(reply.raw, () => {
      // From here on the bytes are ours: Fastify would put a stream of its own between them and the socket.
      reply.hijack()
      reply.raw.writeHead(status, { ...headersSoFar(reply), ...all })
    })
  } catch (error) {
    // What was lost before the first byte is answered as if it had been gone from the start.
    if (error instanceof ServiceError && !reply.raw.headersSent) throw error
    if (!reply.sent) reply.hijack()
    reply.raw.destroy()
    throw error
  }
  return reply
}
