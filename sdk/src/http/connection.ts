import { expectedGuest, headers as names, withoutSlash } from '@svc/contract'
import { accessHeaders, type Access } from './access.ts'
import { ApiError, responseError, type ResponseText } from '../errors/api-error.ts'
import { withSafeRedirects } from './safe-redirects.ts'
import { requireEncrypted } from '../source/require-encrypted.ts'
import type { Progress, Source } from '../source/source.ts'
import { fetchForms, fetchParts, open, request, type Fetch, type FetchRequest } from './fetch-transport.ts'
import { sendFormByXHR, sendPartByXHR } from './xhr-transport.ts'
import type { PartRequest, SendForm, SendPart } from './transport.ts'
import { plikNames } from './plik-names.ts'
import { wait, type Wait } from '../retry/wait.ts'

export interface ClientOptions {
  /** Address of the server, with its path prefix if it has one. */
  readonly baseURL: string
  /** Replaces the global one. In browsers it then also sends files, without upload progress. */
  readonly fetch?: Fetch
  /** Sent with every request, to the download domain too. Must not contain secrets. */
  readonly headers?: Readonly<Record<string, string>>
  /** Value of the `X-ClientApp` header (docs/protocol.md#downloading). */
  readonly clientApp?: string
  /** Whether a browser's fetches carry and keep its cookies and stored passwords (Fetch standard). */
  readonly credentials?: RequestCredentials
  /** Acts for its owner (docs/protocol.md#authentication). Only sent to the origin of `baseURL`. */
  readonly userToken?: string | undefined
  /** The kind of the server, if it is not ours: Plik has another name for the header of a user token. */
  readonly service?: 'svc' | 'plik'
  /** The value of the cookie `svc-xsrf` in browsers. Called for each request that changes something. */
  readonly xsrfToken?: () => string | undefined
  /** Id of the user that an admin acts as. Called for each request. */
  readonly impersonate?: () => string | undefined
  /**
   * Id of the user that the application shows, null for a guest, undefined while it is unknown. The server refuses to create uploads
   * and to change accounts for another one (`other_user`). Called for each request that changes something.
   */
  readonly expectedUser?: () => string | null | undefined
  /** Waits between attempts. */
  readonly wait?: Wait
  /** The random part of the delay between attempts: from 0, below 1. */
  readonly random?: () => number
  /** Called with every error before it is thrown. */
  readonly onError?: (error: ApiError) => void
  /** Called with every response of `fetch` before its body is read, to read headers. */
  readonly onResponse?: (response: Response) => void
}

export interface SendOptions {
  readonly fileName: string
  /** The upload's field of this name: with `age`, a file that is not encrypted is refused before a byte of it is sent. */
  readonly e2ee?: string | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface DownloadOptions extends Access {
  readonly method?: 'GET' | 'HEAD'
  /** First and last byte, both included; without `end` up to the end. */
  readonly range?: { readonly start: number; readonly end?: number }
  /** The expected `ETag`; with another one, the server ignores the range and sends all bytes (RFC 9110 §13.1.5). */
  readonly ifRange?: string
  /** More headers of the request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

function rangeHeaders(range: DownloadOptions['range'], ifRange: string | undefined): Record<string, string> {
  if (range === undefined) return {}
  return {
    range: `bytes=${String(range.start)}-${range.end === undefined ? '' : String(range.end)}`,
    ...(ifRange !== undefined && { 'if-range': ifRange }),
  }
}

const isError = (response: ResponseText) => response.status < 200 || response.status > 299
const isMutation = (method: string) => method !== 'GET' && method !== 'HEAD'

const tokenHeader = ({ service }: ClientOptions) =>
  service === 'plik' ? plikNames.userToken : names.userToken

/** The caller's credentials as headers, for requests to the server only. */
function callerHeaders(options: ClientOptions, method: string): Record<string, string> {
  const xsrfToken = isMutation(method) ? options.xsrfToken?.() : undefined
  const userID = options.impersonate?.()
  const expected = isMutation(method) ? options.expectedUser?.() : undefined
  return {
    ...(options.userToken !== undefined && { [tokenHeader(options)]: options.userToken }),
    ...(xsrfToken !== undefined && { [names.xsrfToken]: xsrfToken }),
    ...(userID !== undefined && { [names.impersonate]: encodeURIComponent(userID) }),
    ...(expected !== undefined && { [names.expectedUser]: encodeURIComponent(expected ?? expectedGuest) }),
  }
}

/** Browsers protect the headers of redirected requests; elsewhere `withSafeRedirects` does. */
function createTransports(options: ClientOptions): {
  readonly fetch: Fetch
  readonly sendForm: SendForm
  readonly sendPart: SendPart
} {
  const plain: Fetch = async (url, init) => {
    const response = await (options.fetch ?? globalThis.fetch)(url, {
      ...init,
      ...(options.credentials && { credentials: options.credentials }),
    })
    options.onResponse?.(response)
    return response
  }
  const inBrowser = typeof XMLHttpRequest === 'function'
  const fetch = inBrowser ? plain : withSafeRedirects(plain)
  return inBrowser && options.fetch === undefined
    ? { fetch, sendForm: sendFormByXHR, sendPart: sendPartByXHR }
    : { fetch, sendForm: fetchForms(fetch), sendPart: fetchParts(fetch) }
}

/** Sends requests to one server, regardless of the endpoint. */
export function createConnection(options: ClientOptions) {
  const base = withoutSlash(options.baseURL)
  const { fetch, sendForm, sendPart } = createTransports(options)
  const common = {
    ...options.headers,
    ...(options.clientApp !== undefined && { [names.clientApp]: options.clientApp }),
  }
  const reportErrors = async <Result>(asking: Promise<Result>): Promise<Result> => {
    try {
      return await asking
    } catch (error) {
      if (error instanceof ApiError) options.onError?.(error)
      throw error
    }
  }
  const requireSuccess = async (responsePromise: Promise<ResponseText>): Promise<ResponseText> => {
    const response = await responsePromise
    if (isError(response)) throw responseError(response)
    return response
  }
  const call = (path: string, init: FetchRequest = {}, access?: Access): Promise<ResponseText> => {
    const caller = callerHeaders(options, init.method ?? 'GET')
    const headers = { ...common, ...init.headers, ...caller, ...accessHeaders(access) }
    return reportErrors(request(fetch, base + path, { ...init, headers }))
  }

  return {
    base,
    call,
    /** Requests an address of this server or of its download domain. The latter gets no credentials of the caller. */
    open: (
      url: string,
      { method = 'GET', range, ifRange, signal, headers: requestHeaders, ...access }: DownloadOptions = {},
    ) => {
      const own = new URL(url).origin === new URL(base).origin
      const headers = {
        ...common,
        ...requestHeaders,
        ...(own && callerHeaders(options, method)),
        ...rangeHeaders(range, ifRange),
        ...accessHeaders(access),
      }
      return reportErrors(open(fetch, url, { method, headers, ...(signal && { signal }) }))
    },
    /** Sends a form with one file. */
    send: (path: string, content: Source, { uploadToken, e2ee, ...form }: SendOptions & Access) => {
      const sendContent = async () => {
        const source = await requireEncrypted(content, e2ee)
        const headers = { ...common, ...callerHeaders(options, 'POST'), ...accessHeaders({ uploadToken }) }
        return requireSuccess(sendForm({ ...form, source, url: base + path, headers }))
      }
      return reportErrors(sendContent())
    },
    /** Sends a part of a file. Errors are expected here, so `onError` is not called. */
    sendPart: (path: string, { uploadToken, headers, ...part }: Omit<PartRequest, 'url'> & Access) =>
      requireSuccess(
        sendPart({
          ...part,
          url: base + path,
          headers: {
            ...common,
            ...headers,
            ...callerHeaders(options, 'PATCH'),
            ...accessHeaders({ uploadToken }),
          },
        }),
      ),
    wait: options.wait ?? wait,
    random: options.random ?? Math.random,
  }
}

export type Connection = ReturnType<typeof createConnection>
