import { headers as names } from '@svc/contract'
import { ApiError } from '../errors/api-error.ts'
import type { Fetch } from './fetch-transport.ts'
import { plikNames } from './plik-names.ts'

/** Lower-case names. Of the headers of Svc, only the name of the client may reach another origin: a new header is removed, too. */
const secrets: readonly string[] = [
  ...Object.values(names).filter((name) => name !== names.clientApp),
  plikNames.userToken,
  'authorization',
  'cookie',
]

/** The limit of the Fetch standard. */
const maxRedirects = 20

const isRedirect = ({ status }: Response) => [301, 302, 303, 307, 308].includes(status)

/**
 * By lower-case names. Not `Headers` and `Request`: in Node, their first use loads all of its `fetch`, which a caller may replace.
 */
function headersByName(headers: RequestInit['headers'] = {}): Map<string, string> {
  const fields = Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  return new Map(fields.map(([name, value]) => [name.toLowerCase(), value]))
}

const badRedirect = ({ status }: Response, message: string) =>
  new ApiError(status, `http_${String(status)}`, message)

/**
 * A fetch that removes credentials when a redirect leads to another origin. The Fetch standard only removes
 * `Authorization`; browsers protect other headers by a preflight request. A request that changes something is not sent to
 * another origin: the caller gets the redirect as its response. Throws an `ApiError` for redirects without an end, and for one that does
 * not lead to the web.
 */
export function withSafeRedirects(fetch: Fetch): Fetch {
  return async (input, init = {}) => {
    const headers = headersByName(init.headers)
    let url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url)
    for (let hops = 0; ; hops += 1) {
      const response = await fetch(url.href, {
        ...init,
        headers: Object.fromEntries(headers),
        redirect: 'manual',
      })
      const location = response.headers.get('location')
      const repeatable = init.method === undefined || ['GET', 'HEAD'].includes(init.method)
      if (!isRedirect(response) || !repeatable || location === null) return response
      await response.body?.cancel()
      if (hops === maxRedirects) throw badRedirect(response, `${url.href} redirects too often`)
      const next = URL.parse(location, url)
      if (next === null || !['http:', 'https:'].includes(next.protocol))
        throw badRedirect(
          response,
          `${url.href} redirects to ${location}, which is not an address of the web`,
        )
      if (next.origin !== url.origin) for (const name of secrets) headers.delete(name)
      url = next
    }
  }
}
