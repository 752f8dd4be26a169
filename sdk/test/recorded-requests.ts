import { buffer } from 'node:stream/consumers'
import type { createServers } from './served.ts'

export interface RecordedRequest {
  readonly method: string | undefined
  readonly url: string | undefined
  /** Only of requests with JSON. */
  readonly body: unknown
}

interface Recording {
  readonly responseBody?: string | undefined
  /** The method that a proxy between client and server blocks. */
  readonly blockedMethod?: string | undefined
  /** The bytes of the resumable upload that the server accepts. */
  readonly size: number
}

/** Starts a server that sends the same JSON to every request, accepts a resumable upload, and records the requests. */
export async function recordRequests(
  served: ReturnType<typeof createServers>['served'],
  {
    responseBody = '{"answer":1,"id":"u1","title":"t","files":[],"results":[]}',
    blockedMethod,
    size,
  }: Recording,
): Promise<{ readonly baseURL: string; readonly requests: readonly RecordedRequest[] }> {
  const requests: RecordedRequest[] = []
  const baseURL = await served((request, response) => {
    void buffer(request).then((body) => {
      const { method, url, headers } = request
      const isJson = headers['content-type'] === 'application/json'
      requests.push({ method, url, body: isJson ? (JSON.parse(body.toString()) as unknown) : undefined })
      const responseHeaders = {
        'x-uploadid': 'u1',
        'x-fileid': 'f1',
        'upload-offset': Number(headers['upload-offset'] ?? 0) + body.length,
        'upload-length': size,
      }
      if (method === blockedMethod) response.writeHead(405).end('refused')
      else response.writeHead(200, responseHeaders).end(responseBody)
    })
  })
  return { baseURL, requests }
}
