import { networkError, type ResponseText } from '../errors/api-error.ts'
import { blobOf } from '../source/source.ts'
import type { SendForm, SendPart } from './transport.ts'
import { unreadableFileError } from '../errors/unreadable-file-error.ts'

function responseOf(xhr: XMLHttpRequest): ResponseText {
  return {
    status: xhr.status,
    statusText: xhr.statusText,
    text: xhr.responseText,
    header: (name) => xhr.getResponseHeader(name),
  }
}

interface XhrRequest {
  readonly method: 'PATCH' | 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** The file, alone or in a form. */
  readonly file: Blob
  /**
   * @param sent bytes of the body
   * @param total bytes of the whole body
   */
  readonly onSent: (sent: number, total: number) => void
}

function send(
  { method, url, headers, signal, file, onSent }: XhrRequest,
  body: FormData | Blob,
): Promise<ResponseText> {
  const { promise, resolve, reject } = Promise.withResolvers<ResponseText>()
  const xhr = new XMLHttpRequest()
  const abort = () => {
    xhr.abort()
  }
  xhr.onload = () => {
    resolve(responseOf(xhr))
  }
  xhr.onerror = () => {
    void unreadableFileError(file).then((reason) => reject(reason ?? networkError()))
  }
  xhr.onabort = () => {
    reject(signal?.reason as Error)
  }
  xhr.onloadend = () => {
    signal?.removeEventListener('abort', abort)
  }
  signal?.addEventListener('abort', abort, { once: true })
  xhr.upload.onprogress = ({ loaded, total }) => {
    onSent(loaded, total)
  }
  xhr.open(method, url)
  for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
  xhr.send(body)
  return promise
}

/**
 * Sends a form through XMLHttpRequest, because fetch reports no upload progress in browsers. XMLHttpRequest sends only blobs,
 * so any other source is collected first.
 */
export const sendFormByXHR: SendForm = async ({ source: content, fileName, onProgress, ...request }) => {
  const source = await blobOf(content, request.signal)
  request.signal?.throwIfAborted()
  const body = new FormData()
  body.append('file', source, fileName)
  // The browser counts the framing of the form, too; progress counts bytes of the file.
  const onSent = (sent: number, formLength: number) => {
    const framing = Math.max(0, formLength - source.size)
    onProgress?.({ sent: Math.max(0, sent - framing), total: source.size })
  }
  return send({ ...request, method: 'POST', file: source, onSent }, body)
}

/** Sends a part of a file through XMLHttpRequest. */
export const sendPartByXHR: SendPart = async ({ body: content, onProgress, ...request }) => {
  const body = await blobOf(content, request.signal)
  request.signal?.throwIfAborted()
  return send(
    {
      ...request,
      file: body,
      onSent: (sent) => {
        onProgress({ sent, total: body.size })
      },
    },
    body,
  )
}
