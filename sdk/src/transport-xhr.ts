import { networkError, type Answer } from './api-error.ts'
import type { FormRequest, SendForm } from './transport.ts'

function answerOf(xhr: XMLHttpRequest): Answer {
  return {
    status: xhr.status,
    statusText: xhr.statusText,
    text: xhr.responseText,
    header: (name) => xhr.getResponseHeader(name),
  }
}

/** The browser counts the form's framing too; what people watch is their file. */
function reportProgress(xhr: XMLHttpRequest, { source, onProgress }: FormRequest): void {
  const total = source.size
  if (!onProgress) return
  xhr.upload.onprogress = ({ loaded, total: formLength }) => {
    const framing = total === undefined ? 0 : Math.max(0, formLength - total)
    onProgress({ sent: Math.max(0, loaded - framing), total })
  }
}

function send(form: FormRequest, body: FormData): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const xhr = new XMLHttpRequest()
  const abort = () => {
    xhr.abort()
  }
  xhr.onload = () => {
    resolve(answerOf(xhr))
  }
  xhr.onerror = () => {
    reject(networkError())
  }
  xhr.onabort = () => {
    reject(form.signal?.reason as Error)
  }
  xhr.onloadend = () => {
    form.signal?.removeEventListener('abort', abort)
  }
  form.signal?.addEventListener('abort', abort, { once: true })
  reportProgress(xhr, form)
  xhr.open('POST', form.url)
  for (const [name, value] of Object.entries(form.headers)) xhr.setRequestHeader(name, value)
  xhr.send(body)
  return promise
}

/** Sends forms through XMLHttpRequest: in browsers only it tells how much of a body has left. */
export const xhrForms: SendForm = async (form) => {
  form.signal?.throwIfAborted()
  if (!(form.source instanceof Blob)) throw new TypeError('a browser sends blobs and files only')
  const body = new FormData()
  body.append('file', form.source, form.fileName)
  return send(form, body)
}
