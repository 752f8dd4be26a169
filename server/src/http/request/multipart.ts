import { lastSegment } from '@svc/contract'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { IncomingFile } from '../../core/uploads/receive-file.ts'
import * as errors from '../../domain/errors.ts'
import { requestBody } from './expect-continue.ts'
import { announcedLength, onBrokenRequest } from './request-body.ts'

/** The name of the form field with the file (docs/protocol.md#uploading). */
const fileField = 'file'

const formLimits = { files: 1, fields: 20, fieldSize: 65_536, parts: 30, headerPairs: 50, headerSize: 16_384 }

/** Maximum bytes of a form besides its file: the announced length can include them. */
const maxOtherBytes = formLimits.parts * (formLimits.fieldSize + formLimits.headerSize)

/** Bytes that the parser buffers. More would leave the processor's cache before they are copied. */
const bufferBytes = 16_384

/**
 * Reads a `multipart/form-data` request (RFC 7578) up to its file, and passes the file on while it is received. Other
 * fields are ignored. Listeners and the parser are removed when it returns.
 * @param signal aborts the request, even before its file
 * @throws ServiceError `unsupported_media_type`, `invalid_multipart`, `missing_file`, `upload_aborted`, the reason of
 * the signal, and the errors of `use`
 */
export async function receiveForm<Result>(
  request: IncomingMessage,
  use: (file: IncomingFile) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const parser = openParser(request)
  const found = Promise.withResolvers<{ readonly fileName: string; readonly bytes: Readable }>()
  const whole = Promise.withResolvers<undefined>()
  const stop = new AbortController()
  let hasFile = false
  // Prevents unhandled rejections while nothing awaits these promises.
  whole.promise.catch(() => undefined)
  found.promise.catch(() => undefined)
  const fail = (error: Error) => {
    found.reject(error)
    whole.reject(error)
    stop.abort(error)
  }

  parser.on('file', (field: string | undefined, bytes, fileName: string | undefined) => {
    // The parser also reports a malformed form here; the signal passes it to the reader.
    bytes.on('error', (cause) => {
      fail(errors.invalidMultipart('it is incomplete', cause))
    })
    if (field !== fileField) {
      fail(errors.missingFile())
      return
    }
    hasFile = true
    found.resolve({ fileName: decodeFileName(fileName ?? ''), bytes })
  })
  parser.on('filesLimit', () => {
    fail(errors.invalidMultipart('it has more than one file'))
  })
  for (const limit of ['partsLimit', 'fieldsLimit'] as const) {
    parser.on(limit, () => {
      fail(errors.invalidMultipart('it has too many parts'))
    })
  }
  parser.on('error', (cause) => {
    fail(errors.invalidMultipart('it is incomplete or malformed', cause))
  })
  parser.on('finish', () => {
    if (!hasFile) found.reject(errors.missingFile())
    whole.resolve(undefined)
  })
  const forget = onBrokenRequest(request, fail)
  const onAbort = () => {
    found.reject(signal?.reason)
    stop.abort(signal?.reason)
  }
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted === true) onAbort()

  requestBody(request)
  request.pipe(parser)
  try {
    return await use({
      ...(await found.promise),
      expectedSize: announcedFileSize(request),
      complete: () => whole.promise,
      signal: stop.signal,
    })
  } finally {
    forget()
    signal?.removeEventListener('abort', onAbort)
    request.unpipe(parser)
  }
}

/** Minimum size of the file of a form in bytes, from the announced length. */
export const announcedFileSize = (request: IncomingMessage): number =>
  Math.max(0, announcedLength(request) - maxOtherBytes)

/**
 * Checks that a request can be a form, without reading it.
 * @throws ServiceError as `receiveForm`
 */
export function requireForm(request: IncomingMessage): void {
  openParser(request)
}

function openParser(request: IncomingMessage): BusboyInstance {
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) throw errors.unsupportedMediaType('multipart/form-data')
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': type },
      limits: formLimits,
      fileHwm: bufferBytes,
      highWaterMark: bufferBytes,
      preservePath: true,
    })
  } catch (cause) {
    throw errors.invalidMultipart('its content type has no boundary', cause)
  }
}

/** Browsers escape quotes and newlines (HTML standard, "multipart/form-data encoding algorithm"). */
function decodeFileName(name: string): string {
  const decoded = name.replaceAll(/%(22|0D|0A)/gi, (escape) => decodeURIComponent(escape))
  // Old browsers and tools send the path; RFC 7578 §4.2 says to take the last segment.
  return lastSegment(decoded)
}
