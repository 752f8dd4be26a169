import { planArchive, prepareArchive } from '../../core/archive/archive.ts'
import { presignedURL, type PresignedHeaders } from '../../core/downloads/presigned-download.ts'
import { findFile, loadNamedFile } from '../../core/uploads/load-upload.ts'
import { prepareFile, requireDownloadable, type Delivery } from '../../core/downloads/send-file.ts'
import { isStreaming } from '../../core/streams/receive-stream.ts'
import type { ByteRange } from '../../data/backend/backend.ts'
import { rangeNotSatisfiable, ServiceError } from '../../domain/errors.ts'
import { servedType } from '../../domain/files/media-type.ts'
import { isCounted, isLimited } from '../../domain/limits/download-limit.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { headersSoFar } from '../response/reply.ts'
import type { RequestContext } from '../steps/chain.ts'
import { evaluate, type ConditionalResult, type Validators } from '../downloads/conditional.ts'
import { directDisposition, followsRedirects } from '../downloads/presigned-redirect.ts'
import { contentDisposition } from '../downloads/disposition.ts'
import {
  requestedDisposition,
  cacheControl,
  corsHeaders,
  entityTag,
  preflightHeaders,
  servedHeaders,
} from '../downloads/download-headers.ts'
import { redirectToPage, showPageFirst } from '../downloads/page-first.ts'
import { networkOf } from '../../domain/access/addresses.ts'
import { downloadClientOf } from '../downloads/download-client.ts'
import { sendFolder } from '../downloads/send-folder.ts'
import { pathParameter } from '../request/path-parameters.ts'
import { downloadStream } from './streams.ts'

type UploadContext = RequestContext & { readonly upload: UploadRecord; readonly address: string }

/** A representation to download: its name, its metadata, and how to read it. */
interface Representation {
  readonly name: string
  readonly type: string
  readonly size: number
  readonly validators: Validators
  /** Milliseconds since the epoch. */
  readonly lastModified: number
  /** Whether its downloads count. */
  readonly isCounted: boolean
  readonly prepare: (range: ByteRange) => Promise<Delivery>
  /** A presigned URL of the store; null when only the service can send the file. */
  readonly direct?: (headers: PresignedHeaders, range: ByteRange) => Promise<string | null>
}

export function preflight({ service, reply }: RequestContext) {
  return reply
    .code(204)
    .headers({ ...corsHeaders(service.config.svcDomain), ...preflightHeaders })
    .send()
}

/** A file that the path names by its id. Other paths are those of the listing. */
export async function downloadFile(context: UploadContext) {
  const { service, request, upload } = context
  const [id, name] = [pathParameter(request, 'fileID'), pathParameter(request, 'filename')]
  const file = await findFile(service, upload, id, name)
  return file === undefined ? browse(context, `${id}/${name}`) : sendFile({ ...context, file })
}

/** A list of files, or a file by its name. */
export const browseFiles = (context: UploadContext) =>
  browse(context, pathParameter(context.request, 'filename'))

async function browse(context: UploadContext, path: string) {
  const { service, upload } = context
  if (path === '' || path.endsWith('/')) return sendFolder(context, path)
  return sendFile({ ...context, file: await loadNamedFile(service, upload, path) })
}

export async function sendFile(context: UploadContext & { readonly file: FileRecord }) {
  const { service, upload, file } = context
  if (isStreaming(upload, file)) return downloadStream(context)
  requireDownloadable(file)
  const client = downloadClientOf(context)
  const lastModified = file.uploadedAt ?? file.createdAt
  return respond(context, {
    name: file.fileName,
    type: servedType(file.type, { e2ee: upload.e2ee !== '' }),
    size: file.fileSize,
    validators: { etag: entityTag(file), lastModified },
    lastModified,
    isCounted: isCounted(upload, file),
    prepare: (range) => prepareFile(service, upload, file, { range, client }),
    direct: (headers, range) => presignedURL(service, upload, file, { headers, range, client }),
  })
}

export async function downloadArchive(context: UploadContext) {
  const { service, upload, request, address } = context
  const name = pathParameter(request, 'filename')
  const archive = await planArchive(service, upload, { archiveName: name, network: networkOf(address) })
  return respond(context, {
    name,
    type: upload.e2ee === '' ? 'application/zip' : servedType('application/zip', { e2ee: true }),
    size: archive.layout.size,
    // Removing a file does not change the date of the newest one.
    validators: { etag: archive.layout.etag, lastModified: null },
    lastModified: Math.max(...archive.files.map((file) => file.uploadedAt ?? file.createdAt)),
    isCounted: isLimited(upload),
    prepare: (range) => prepareArchive(service, archive, { range, client: downloadClientOf(context) }),
  })
}

/** Handles HEAD, validators and ranges (RFC 9110 §13, §14) of a representation, then sends its bytes. */
async function respond(context: UploadContext, representation: Representation) {
  const { service, request, reply, upload } = context
  if (showPageFirst(request, upload)) return redirectToPage(service, reply, upload)
  const headers = representationHeaders(request.query, upload, representation)
  // Ranges are only defined for GET (RFC 9110 §14.2).
  const conditions = request.method === 'HEAD' ? { ...request.headers, range: undefined } : request.headers
  // A download that counts is always the whole file: parts would either use up several downloads, or none.
  const outcome: ConditionalResult = representation.isCounted
    ? { status: 200 }
    : evaluate(conditions, representation.validators, representation.size)
  if (outcome.status === 304) return reply.code(304).headers(headers).send()
  if (outcome.status === 416) throw rangeNotSatisfiable(representation.size)
  const range = outcome.status === 206 ? outcome : { start: 0, end: representation.size - 1 }
  const location = await presignedRedirect(context, representation, range)
  if (location !== null) return reply.headers(redirectHeaders).redirect(location, 302)
  switch (outcome.status) {
    case 206: {
      const { start, end } = range
      const contentRange = `bytes ${String(start)}-${String(end)}/${String(representation.size)}`
      return send(context, representation, range, 206, { ...headers, 'content-range': contentRange })
    }
    case 200:
      return send(context, representation, range, 200, headers)
  }
}

/** The presigned URL is a secret while it is valid: it is neither cached nor sent as a referrer. */
const redirectHeaders = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } as const

/** The presigned URL to which a client is redirected; null when the service sends the bytes. */
async function presignedRedirect(
  { request, upload }: UploadContext,
  representation: Representation,
  range: ByteRange,
) {
  if (representation.direct === undefined || request.method === 'HEAD') return null
  if (!followsRedirects(request.headers)) return null
  const disposition = directDisposition(representation.type, requestedDisposition(request.query))
  if (disposition === null) return null
  const headers = {
    contentType: representation.type,
    contentDisposition: contentDisposition(representation.name, disposition),
    cacheControl: cacheControl(upload),
  }
  return representation.direct(headers, range)
}

function representationHeaders(query: unknown, upload: UploadRecord, representation: Representation) {
  return {
    ...servedHeaders(query, upload, representation),
    etag: representation.validators.etag,
    'last-modified': new Date(representation.lastModified).toUTCString(),
    'accept-ranges': representation.isCounted ? 'none' : 'bytes',
  }
}

async function send(
  { request, reply }: RequestContext,
  representation: Representation,
  range: ByteRange,
  status: 200 | 206,
  headers: Readonly<Record<string, string>>,
) {
  const length = range.end - range.start + 1
  const all = { ...headers, 'content-length': String(length) }
  if (request.method === 'HEAD') return reply.code(status).headers(all).send()
  const delivery = await representation.prepare(range)
  try {
    await delivery.send(reply.raw, () => {
      // Send the bytes without Fastify, which would put a stream between them and the socket.
      reply.hijack()
      reply.raw.writeHead(status, { ...headersSoFar(reply), ...all })
    })
  } catch (error) {
    // A file that is lost before the first byte gets the same error as a missing file.
    if (error instanceof ServiceError && !reply.raw.headersSent) throw error
    if (!reply.sent) reply.hijack()
    reply.raw.destroy()
    throw error
  }
  return reply
}
