import { headers as names } from '@svc/contract'
import type { Fetch } from './fetch-transport.ts'

const secrets = [
  names.userToken,
  names.uploadToken,
  names.xsrfToken,
  names.impersonate,
  'authorization',
  'cookie',
] as const

/** As many as the Fetch standard allows. */
const redirects = 20

const isRedirect = ({ status }: Response) => [301, 302, 303, 307, 308].includes(status)

/**
 * A fetch whose secrets stay with the origin they were meant for, wherever a redirect leads. The Fetch standard takes
 * care of `Authorization` alone; of other headers only browsers do, by asking the other origin before. What changes
 * something is not sent again elsewhere: there the redirect itself is the answer.
 */
export function withSafeRedirects(fetch: Fetch): Fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers)
    let url = new URL(input instanceof Request ? input.url : input)
    for (let hops = 0; ; hops += 1) {
      const response = await fetch(url.href, { ...init, headers, redirect: 'manual' })
      const location = response.headers.get('location')
      const repeatable = init.method === undefined || ['GET', 'HEAD'].includes(init.method)
      if (!isRedirect(response) || !repeatable || location === null) return response
      if (hops === redirects) throw new TypeError('too many redirects')
      await response.body?.cancel()
      const next = new URL(location, url)
      if (next.origin !== url.origin) for (const name of secrets) headers.delete(name)
      url = next
    }
  }
}
