import {
  archivePath,
  filePath,
  headers as names,
  type Configuration,
  type File,
  type QuickUploadQuery,
  type Upload,
  type UploadOptions,
  type Version,
} from '@svc/contract'
import { accessHeaders, type Access } from './access.ts'
import { jsonOf, refusal, type Answer } from './api-error.ts'
import { createLinks, type LinkedFile, type LinkedUpload } from './links.ts'
import type { Progress, Source } from './source.ts'
import { fetchForms, open, request, type Fetch, type FetchRequest } from './transport-fetch.ts'
import { xhrForms } from './transport-xhr.ts'

export interface ClientOptions {
  /** Where the server is reached, with its path prefix if it has one. */
  readonly baseURL: string
  /** Instead of the global one; files then go through it in browsers too, without progress of the network. */
  readonly fetch?: Fetch
  /** Sent with every request, for example a user token. */
  readonly headers?: Readonly<Record<string, string>>
  /** Value of the `X-ClientApp` header (specification §4, download rule 4). */
  readonly clientApp?: string
  /** Whether a browser's fetches carry and keep its cookies and stored passwords (Fetch standard). */
  readonly credentials?: RequestCredentials
}

export interface SendOptions {
  readonly fileName: string
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface AddFileOptions extends SendOptions {
  readonly uploadToken?: string | undefined
  /** Id of a file that was declared when the upload was created. */
  readonly fileID?: string | undefined
}

export interface DownloadOptions extends Access {
  readonly method?: 'GET' | 'HEAD'
  /** First and last byte, both included; without `end` up to the end. */
  readonly range?: { readonly start: number; readonly end?: number }
  readonly signal?: AbortSignal | undefined
}

export interface QuickUpload {
  /** Download address of the file. */
  readonly url: string
  readonly uploadID: string
  readonly uploadToken: string
}

function rangeHeader(range: DownloadOptions['range']): Record<string, string> {
  if (!range) return {}
  return { range: `bytes=${String(range.start)}-${range.end === undefined ? '' : String(range.end)}` }
}

const isRefusal = (answer: Answer) => answer.status < 200 || answer.status > 299

/**
 * A client of one server. Every function throws ApiError when the server refuses or cannot be reached, and the
 * signal's reason when its signal is aborted.
 */
export function createClient(options: ClientOptions) {
  const base = options.baseURL.replace(/\/+$/, '')
  const links = createLinks(base)
  const common = {
    ...options.headers,
    ...(options.clientApp !== undefined && { [names.clientApp]: options.clientApp }),
  }
  const fetch: Fetch = (url, init) =>
    (options.fetch ?? globalThis.fetch)(url, {
      ...init,
      ...(options.credentials && { credentials: options.credentials }),
    })
  const sendForm =
    options.fetch === undefined && typeof XMLHttpRequest === 'function' ? xhrForms : fetchForms(fetch)

  const call = (path: string, init: FetchRequest = {}, access?: Access) =>
    request(fetch, base + path, {
      ...init,
      headers: { ...common, ...init.headers, ...accessHeaders(access) },
    })
  const json = async <Body>(path: string, init?: FetchRequest, access?: Access) =>
    jsonOf(await call(path, init, access)) as Body
  const remove = async (path: string, access?: Access) => {
    await call(path, { method: 'DELETE' }, access)
  }
  const get = (url: string, { method = 'GET', range, signal, ...access }: DownloadOptions = {}) =>
    open(fetch, url, {
      method,
      headers: { ...common, ...rangeHeader(range), ...accessHeaders(access) },
      ...(signal && { signal }),
    })
  const send = async (path: string, source: Source, { uploadToken, ...form }: SendOptions & Access) => {
    const answer = await sendForm({
      ...form,
      source,
      url: base + path,
      headers: { ...common, ...accessHeaders({ uploadToken }) },
    })
    if (isRefusal(answer)) throw refusal(answer)
    return answer
  }

  return {
    ...links,

    health: async () => (await call('/health')).text,
    configuration: () => json<Configuration>('/config'),
    version: () => json<Version>('/version'),

    createUpload: (upload: UploadOptions = {}) =>
      json<Upload>('/upload', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(upload),
      }),
    upload: (uploadID: string, access?: Access) =>
      json<Upload>(`/upload/${encodeURIComponent(uploadID)}`, {}, access),
    removeUpload: (uploadID: string, access?: Access) =>
      remove(`/upload/${encodeURIComponent(uploadID)}`, access),

    /** Sends a file into an upload. In browsers the source must be a Blob. */
    addFile: async (uploadID: string, source: Source, { fileID, ...form }: AddFileOptions): Promise<File> => {
      const path = fileID === undefined ? `/file/${uploadID}` : filePath(uploadID, fileID, form.fileName)
      return jsonOf(await send(path, source, form)) as File
    },
    removeFile: (uploadID: string, file: LinkedFile, access?: Access) =>
      remove(filePath(uploadID, file.id, file.fileName), access),

    /** A file's bytes as a response; the body is the caller's to read or cancel. */
    download: (upload: LinkedUpload, file: LinkedFile, of?: DownloadOptions) =>
      get(links.fileURL(upload, file), of),
    /** All files as a zip archive. */
    downloadArchive: (upload: LinkedUpload, fileName = `${upload.id}.zip`, of?: DownloadOptions) =>
      get((upload.downloadURL ?? base).replace(/\/+$/, '') + archivePath(upload.id, fileName), of),

    /** Creates an upload and sends its only file in one call; its options travel in the query. */
    quickUpload: async (
      source: Source,
      form: SendOptions,
      query: QuickUploadQuery = {},
    ): Promise<QuickUpload> => {
      const search = new URLSearchParams(query).toString()
      const answer = await send(search === '' ? '/' : `/?${search}`, source, form)
      return {
        url: answer.text.trim(),
        uploadID: answer.header(names.uploadId) ?? '',
        uploadToken: answer.header(names.uploadToken) ?? '',
      }
    },
  }
}

export type Client = ReturnType<typeof createClient>
