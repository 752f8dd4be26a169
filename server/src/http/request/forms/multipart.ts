import { lastSegment } from '@svc/contract'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { IncomingFile } from '../../../core/uploads/receive/receive-file.ts'
import * as errors from '../../../domain/errors.ts'
import { ignore } from '../../../domain/ignore.ts'
import { requestBody } from '../expect-continue.ts'
import { formParser, MalformedFormError, type PartSink } from './form-parser.ts'
import { formPart } from './form-part.ts'
import { headerParameters } from './header-parameters.ts'
import { announcedLength, knownLength, onBrokenRequest } from '../request-body.ts'

/** The name of the form field with the file (docs/protocol.md#uploading). */
const fileField = 'file'

/** Maximum number of parts besides the files. */
const maxFields = 29

/** Maximum bytes of the headers of a part. */
const headerBytes = 16_384

/** Maximum bytes of a form besides its files: the announced length can include them. */
const otherBytes = 2_000_000

/** Bytes of a file that wait for its reader. */
const waitingBytes = 16_384

/** Maximum characters of a boundary: RFC 2046 allows 70. */
const maxBoundary = 200

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
  const boundary = boundaryOf(request)
  const stop = new AbortController()
  /** The file that is parsed next. */
  let awaited = Promise.withResolvers<FormFile | null>()
  const first = awaited.promise
  // Prevents unhandled rejections while nothing awaits these promises.
  first.catch(ignore)
  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    request.off('data', onData).off('end', onEnd).pause()
  }
  const fail = (error: unknown) => {
    end()
    const reason = error instanceof MalformedFormError ? errors.invalidMultipart(error.message, error) : error
    awaited.reject(reason)
    stop.abort(reason)
  }

  let fields = 0
  let files = 0
  const resume = () => {
    if (!isOver) request.resume()
  }
  const parser = formParser(boundary, { headerBytes, otherBytes }, (headers) => {
    const part = formPart(headers)
    if (!part.isFile) {
      if ((fields += 1) > maxFields) throw new MalformedFormError('it has too many parts')
      return undefined
    }
    if ((files += 1) > maxFiles)
      throw maxFiles === 1
        ? new MalformedFormError('it has more than one file')
        : errors.tooManyFiles(maxFiles)
    if (part.name !== fileField) throw errors.missingFile()
    const bytes = new Readable({ read: resume, highWaterMark: waitingBytes })
    const { resolve } = awaited
    awaited = Promise.withResolvers()
    awaited.promise.catch(ignore)
    resolve({ fileName: decodeFileName(part.fileName), bytes, following: awaited.promise })
    return sinkTo(bytes, { pause: () => request.pause(), resume })
  })
  const onData = (chunk: Buffer) => {
    try {
      parser.write(chunk)
    } catch (error) {
      fail(error)
    }
  }
  const onEnd = () => {
    try {
      parser.end()
      awaited.resolve(null)
    } catch (error) {
      fail(error)
    }
  }
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
    requestLength: knownLength(request),
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
  if (!isOver) request.on('data', onData).on('end', onEnd).resume()
  try {
    latest = await first
    if (latest === null) throw errors.missingFile()
    return await use(incoming(latest, announcedFileSize(request)), next)
  } finally {
    forget()
    signal?.removeEventListener('abort', onAbort)
    end()
  }
}

/** Passes a part on, and lets its source wait while the reader is slower. */
const sinkTo = (
  bytes: Readable,
  source: { readonly pause: () => void; readonly resume: () => void },
): PartSink => ({
  write(chunk) {
    if (!bytes.push(chunk)) source.pause()
  },
  end() {
    bytes.push(null)
    if (bytes.readableLength === 0) return
    // The next part waits for the reader of this one, whose end causes no further reading.
    source.pause()
    bytes.once('end', source.resume)
  },
})

/** Minimum size of the file of a form in bytes, from the announced length. */
export const announcedFileSize = (request: IncomingMessage): number =>
  Math.max(0, announcedLength(request) - otherBytes)

/**
 * Checks that a request can be a form, without reading it.
 * @throws ServiceError as `receiveForm`
 */
export function requireForm(request: IncomingMessage): void {
  boundaryOf(request)
}

function boundaryOf({ headers }: IncomingMessage): string {
  const type = headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) throw errors.unsupportedMediaType('multipart/form-data')
  const boundary = headerParameters(type).get('boundary') ?? ''
  if (boundary === '') throw errors.invalidMultipart('its content type has no boundary')
  if (boundary.length > maxBoundary) throw errors.invalidMultipart('its boundary is too long')
  return boundary
}

/** Browsers escape quotes and newlines (HTML standard, "multipart/form-data encoding algorithm"). */
function decodeFileName(name: string): string {
  const decoded = name.replaceAll(/%(22|0D|0A)/gi, (escape) => decodeURIComponent(escape))
  // Old browsers and tools send the path; RFC 7578 §4.2 says to take the last segment.
  return lastSegment(decoded)
}
