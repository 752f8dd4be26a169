import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GcsBucket } from './objects.ts'

/** One request to a server of Google Cloud Storage, and the means to respond. */
export interface GcsCall {
  readonly request: IncomingMessage
  readonly url: URL
  readonly reply: SendReply
  readonly bucket: GcsBucket
  readonly bucketName: string
}

export type SendReply = (
  status: number,
  body?: string | Uint8Array | Readonly<Record<string, unknown>>,
  headers?: Readonly<Record<string, string>>,
) => void

export const replyTo =
  (response: ServerResponse): SendReply =>
  (status, body = '', headers = {}) => {
    const isBytes = typeof body === 'string' || body instanceof Uint8Array
    const bytes = Buffer.from(isBytes ? body : JSON.stringify(body))
    const type = isBytes ? 'text/html; charset=UTF-8' : 'application/json; charset=UTF-8'
    response.writeHead(status, { 'content-type': type, 'content-length': bytes.length, ...headers })
    response.end(bytes)
  }

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}

export const error = (code: number, message: string) => ({
  error: { code, message, errors: [{ message, domain: 'global' }] },
})
