import { request as plainRequest, type Agent, type IncomingHttpHeaders } from 'node:http'
import { request as secureRequest } from 'node:https'

export interface TestRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | number>>
  readonly body?: string | Uint8Array
  /** Keeps connections open for more requests; without it, each request has a separate one. */
  readonly agent?: Agent
  /** Certificate to trust, in PEM. */
  readonly ca?: string
}

export interface TestResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
}

/**
 * One request and its whole response. Unlike fetch it sends any header, adds none and follows no redirect.
 * @param base the URL of the server, without a path
 * @param path sent unchanged
 */
export function sendRequest(base: string, path: string, question: TestRequest = {}): Promise<TestResponse> {
  const { method = 'GET', headers = {}, body, agent, ca } = question
  const { hostname, port, protocol } = new URL(base)
  const request = protocol === 'https:' ? secureRequest : plainRequest
  return new Promise((resolve, reject) => {
    const options = {
      hostname,
      port,
      path,
      method,
      headers,
      agent: agent ?? false,
      ...(ca !== undefined && { ca }),
    }
    const sent = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const whole = Buffer.concat(chunks)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: whole,
          // Few tests read a large body as text.
          get text() {
            return whole.toString()
          },
        })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** A request with JSON. */
export const jsonRequest = (content: object, headers: TestRequest['headers'] = {}): TestRequest => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(content),
})

/** The parts of an error response that a test compares. */
export function errorIn({ status, text }: TestResponse): { readonly status: number; readonly code: unknown } {
  try {
    return { status, code: (JSON.parse(text) as { readonly code?: unknown }).code }
  } catch {
    return { status, code: undefined }
  }
}

export const jsonIn = ({ text }: TestResponse): unknown => JSON.parse(text)

/** The value of an `Authorization` header. */
export const basic = (login: string, password: string): string =>
  `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
