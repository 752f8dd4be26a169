import { ApiError, createConnection, type Access, type Client, type DownloadRules } from '@svc/sdk'
import type { File } from '@svc/contract'
import { parseCredentials } from '../arguments/credentials.ts'
import { ageFormat } from '../files/age-format.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { Failure } from '../errors/failure.ts'
import { ReplacedFileFailure } from '../errors/replaced-file-failure.ts'
import type { Checksum } from '../files/checksum.ts'
import { connectionOptions, type ConnectOptions } from '../http/connect.ts'
import { bodyOf } from '../http/response-body.ts'
import { ask, canAsk } from '../interactive/ask.ts'
import type { Program } from '../program/program.ts'
import { foreignError } from './foreign-error.ts'
import { peek } from './peek.ts'
import { responseChecksum } from './response-checksum.ts'
import { responseName } from './response-name.ts'
import type { WebAddress } from './web-address.ts'

/** What a download needs of a client. */
export type Downloader = Pick<Client, 'download'>

/** The file at an address, whose first response waits to be read. */
export interface OpenedAddress {
  readonly client: Downloader
  /** For large files, by faster means. */
  readonly direct: Downloader
  /** A file without a known size, or in armor, is read from its beginning to its end. */
  readonly rules: DownloadRules & { readonly id: string }
  readonly file: File
  readonly access: Access
  /** Distinguishes this content from any other at the address; undefined if the server states nothing by which to do that. */
  readonly validator: string | undefined
  readonly checksum: Checksum | undefined
  readonly isEncrypted: boolean
  /** Closes the connection of the first response, if nothing has read it. */
  readonly close: () => void
}

/** Bytes that decide whether a file is encrypted. Blank ones may precede the armor. */
const headBytes = 64

const attempts = 3

/** Servers state a checksum on request (RFC 9530 §4, RFC 3230 §4.3.1). Compressed content would have no ranges. */
const requestHeaders = {
  'accept-encoding': 'identity',
  'want-repr-digest': 'sha-256=10, sha-512=5',
  'want-digest': 'sha-256, sha-512;q=0.5, md5;q=0.1',
}

export interface OpenOptions {
  readonly insecure: boolean
  /** Whether nothing but the result is printed. */
  readonly isQuiet: boolean
  /** The option `--password`. */
  readonly password?: string | undefined
}

/**
 * Requests the file at an address. Its bytes are read by the first download of the client, so that most files need one request.
 * @throws Failure, ApiError, the reason of an interruption
 */
export async function openAddress(
  program: Program,
  address: WebAddress,
  options: OpenOptions,
): Promise<OpenedAddress> {
  const { url } = address
  const open = requester(program, options, url, {})
  const { response, access } = await firstResponse(program, address, options, open)
  const { head, response: whole } = await peek(response, headBytes)
  const { headers } = whole
  const size = sizeOf(headers)
  const format = ageFormat(head)
  const validator = validatorOf(headers)
  const unreadResponse = takeOnce(whole)
  const clientOf = (request: Requester): Downloader => ({
    download: async (_upload, _file, { range, signal } = {}) => {
      const unread = unreadResponse.take()
      if (range === undefined && unread !== undefined) return unread
      if (unread !== undefined) bodyOf(unread).destroy()
      const ranged = range && { range, ...(validator !== undefined && { ifRange: validator }) }
      const next = await request({ ...access, ...ranged, signal })
      requireSame(url, next, validator)
      return next
    },
  })
  return {
    client: clientOf(open),
    direct: clientOf(requester(program, options, url, { direct: true })),
    rules: { id: '', oneShot: false, stream: size === undefined || format === 'armor' },
    file: {
      id: '',
      fileName: responseName(url, headers),
      fileSize: size ?? 0,
      type: headers.get('content-type') ?? '',
      md5: '',
      status: 'uploaded',
    },
    access,
    validator,
    checksum: responseChecksum(headers),
    isEncrypted: format !== undefined,
    close: () => {
      const unread = unreadResponse.take()
      if (unread !== undefined) bodyOf(unread).destroy()
    },
  }
}

interface AddressRequest extends Access {
  readonly range?: { readonly start: number; readonly end?: number }
  readonly ifRange?: string
  readonly signal?: AbortSignal | undefined
}
type Requester = (request: AddressRequest) => Promise<Response>

function requester(
  program: Program,
  options: OpenOptions,
  url: URL,
  connectOptions: ConnectOptions,
): Requester {
  const { headers, fetch } = connectionOptions(program, options, connectOptions)
  const connection = createConnection({
    fetch,
    baseURL: url.origin,
    headers: { ...headers, ...requestHeaders },
  })
  return async (request) => {
    try {
      return await connection.open(url.href, request)
    } catch (error) {
      throw foreignError(error, url)
    }
  }
}

/** The response to the first request, with credentials if the server asks for them. */
async function firstResponse(
  program: Program,
  { url, credentials: written }: WebAddress,
  { password }: OpenOptions,
  open: Requester,
): Promise<{ readonly response: Response; readonly access: Access }> {
  const { interrupted: signal } = program
  const own =
    password === undefined || password === '-' ? written : { login: '', ...parseCredentials(password) }
  let access: Access = own === undefined ? {} : { credentials: own }
  for (let count = 0; ; count += 1)
    try {
      return { response: await open({ ...access, signal }), access }
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      const credentials = count < attempts ? await otherCredentials(program, url, access) : undefined
      if (credentials === undefined)
        throw new Failure(
          `${url.host} asks for a login: use --password LOGIN:PASSWORD, or SVC_PASSWORD`,
          exitCodes.refused,
          error,
        )
      access = { credentials }
    }
}

/** Those of the environment go only to a server that asks for them. */
async function otherCredentials(program: Program, { host }: URL, { credentials }: Access) {
  const set = program.environment['SVC_PASSWORD'] ?? ''
  if (set !== '' && credentials === undefined) return { login: '', ...parseCredentials(set) }
  if (!canAsk(program)) return undefined
  if (credentials !== undefined) program.printToStderr('wrong login or password')
  const login = await ask(program, `Login for ${host}: `)
  return { login, password: await ask(program, 'Password: ', 'hidden') }
}

/** Bytes of the content; undefined if only its end is known. */
function sizeOf(headers: Headers): number | undefined {
  const length = headers.get('content-length') ?? ''
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined
}

/** A strong validator (RFC 9110 §8.8.1): an entity tag, or a time of change that is in the past. */
function validatorOf(headers: Headers): string | undefined {
  const tag = headers.get('etag') ?? ''
  if (tag.startsWith('"')) return tag
  const modified = headers.get('last-modified') ?? ''
  const sent = Date.parse(headers.get('date') ?? '')
  return Date.parse(modified) < sent ? modified : undefined
}

/** @throws Failure when the file has changed since the first response */
function requireSame(url: URL, response: Response, validator: string | undefined): void {
  if (validator === undefined) return
  const name = validator.startsWith('"') ? 'etag' : 'last-modified'
  const now = response.headers.get(name)
  // Some servers leave it out of a response with a range.
  if (now === null || now === validator) return
  bodyOf(response).destroy()
  throw new ReplacedFileFailure(`${url.href} has changed during the download; run the command again`)
}

/** A response that one reader may take. */
function takeOnce(response: Response) {
  let unread: Response | undefined = response
  return {
    take() {
      const taken = unread
      unread = undefined
      return taken
    },
  }
}
