import { lastSegment } from '@svc/contract'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { IncomingFile } from '../../core/uploads/receive-file.ts'
import * as errors from '../../domain/errors.ts'
import { ignore } from '../../domain/ignore.ts'
import { requestBody } from './expect-continue.ts'
import { announcedLength, onBrokenRequest } from './request-body.ts'

/** The name of the form field with the file (docs/protocol.md#uploading). */
const fileField = 'file'

const formLimits = { fields: 20, fieldSize: 65_536, headerPairs: 50, headerSize: 16_384 }

/** Maximum number of parts besides the files after the first one. */
const maxParts = 30

/** Maximum bytes of a form besides its files: the announced length can include them. */
const maxOtherBytes = maxParts * (formLimits.fieldSize + formLimits.headerSize)

/** Bytes that the parser buffers. More would leave the processor's cache before they are copied. */
const bufferBytes = 16_384

/** A file of a form, and the file after it; null after the last one. */
interface FormFile {
  readonly fileName: string
  readonly bytes: Readable
  readonly following: Promise<FormFile | null>
}

/** The next file of a form, once all bytes of the one before are read; null after the last one. */
export type NextFile = () => Promise<IncomingFile | null>

/**
 * Reads a `multipart/form-data` request (RFC 7578) up to its only file, and passes the file on while it is received. Other
 * fields are ignored. Listeners and the parser are removed when it returns.
 * @param signal aborts the request, even before its file
 * @throws ServiceError `unsupported_media_type`, `invalid_multipart`, `missing_file`, `upload_aborted`, the reason of
 * the signal, and the errors of `use`
 */
export const receiveForm = <Result>(
  request: IncomingMessage,
  use: (file: IncomingFile) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> => receiveFiles(request, { maxFiles: 1, signal }, use)

interface FormOptions {
  readonly maxFiles: number
  readonly signal?: AbortSignal | undefined
}

/**
 * As `receiveForm`, for a form with several files.
 * @throws ServiceError also `too_many_files`
 */
export async function receiveFiles<Result>(
  request: IncomingMessage,
  { maxFiles, signal }: FormOptions,
  use: (first: IncomingFile, next: NextFile) => Promise<Result>,
): Promise<Result> {
  const parser = openParser(request, maxFiles)
  const stop = new AbortController()
  /** The file that is parsed next. */
  let awaited = Promise.withResolvers<FormFile | null>()
  const first = awaited.promise
  // Prevents unhandled rejections while nothing awaits these promises.
  first.catch(ignore)
  const fail = (error: unknown) => {
    awaited.reject(error)
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
    const { resolve } = awaited
    awaited = Promise.withResolvers()
    awaited.promise.catch(ignore)
    resolve({ fileName: decodeFileName(fileName ?? ''), bytes, following: awaited.promise })
  })
  parser.on('filesLimit', () => {
    fail(
      maxFiles === 1 ? errors.invalidMultipart('it has more than one file') : errors.tooManyFiles(maxFiles),
    )
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
    awaited.resolve(null)
  })
  const forget = onBrokenRequest(request, fail)
  const onAbort = () => {
    fail(signal?.reason)
  }
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted === true) onAbort()

  let latest: FormFile | null = null
  const incoming = ({ fileName, bytes, following }: FormFile, expectedSize: number): IncomingFile => ({
    fileName,
    bytes,
    expectedSize,
    // A file is whole when another part or the end of the form follows it.
    complete: async () => {
      await following
    },
    signal: stop.signal,
  })
  const next: NextFile = async () => {
    latest = (await latest?.following) ?? null
    return latest && incoming(latest, 0)
  }
  requestBody(request)
  request.pipe(parser)
  try {
    latest = await first
    if (latest === null) throw errors.missingFile()
    return await use(incoming(latest, announcedFileSize(request)), next)
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
  openParser(request, 1)
}

function openParser(request: IncomingMessage, maxFiles: number): BusboyInstance {
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) throw errors.unsupportedMediaType('multipart/form-data')
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': type },
      limits: { ...formLimits, files: maxFiles, parts: maxParts + maxFiles - 1 },
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
