/** The headers of a response, by their lower-case names. */
class LightHeaders implements Pick<Headers, 'get' | 'has'> {
  readonly #values = new Map<string, string>()

  /** Values of one name are joined (RFC 9110 §5.3). */
  constructor(fields: Iterable<readonly [name: string, value: string]>) {
    for (const [name, value] of fields) {
      const key = name.toLowerCase()
      const before = this.#values.get(key)
      this.#values.set(key, before === undefined ? value : `${before}, ${value}`)
    }
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase())
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#values[Symbol.iterator]()
  }
}

/**
 * Headers without Node's `fetch`: the first use of its global `Headers` or `Response` loads all of it, which takes a fifth of the
 * time in which svc sends a small file. They have what svc and the SDK use: `get`, `has` and the iterator.
 */
export const lightHeaders = (fields: Iterable<readonly [name: string, value: string]>): Headers =>
  new LightHeaders(fields) as unknown as Headers

export interface LightResponseInit {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
}

/** A response without Node's `fetch`. It has what svc and the SDK use: its status, its headers and its body as a stream. */
export const lightResponse = (
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  { status, statusText, headers }: LightResponseInit,
): Response => ({ status, statusText, headers, body, ok: status >= 200 && status < 300 }) as Response

/** The address of a request, without the global `Request`. */
export const addressOf = (input: Parameters<typeof globalThis.fetch>[0]): URL =>
  new URL(typeof input === 'string' || input instanceof URL ? input : input.url)

/** The headers of a request by name. */
export const headerRecord = (headers: RequestInit['headers'] = {}): Record<string, string> =>
  Symbol.iterator in headers ? Object.fromEntries(headers) : { ...headers }
