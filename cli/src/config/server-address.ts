import { withoutSlash } from '@svc/contract'
import { usageFailure } from '../errors/failure.ts'

/** Hosts that are this machine, or have a port as development servers do: certificates do not exist for them. */
const local = /^(?:localhost|127\.|\[::1\]|0\.0\.0\.0)/i

/**
 * A server's address as people write it: `svc.example.org`, `localhost:8080`, `https://example.org/svc/`.
 * @returns with its scheme, without a slash at the end
 * @throws Failure
 */
export function serverAddress(input: string): string {
  const text = input.trim()
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text)
    ? text
    : `${local.test(text) ? 'http' : 'https'}://${text}`
  const url = URL.parse(whole)
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    throw usageFailure(`${input} is not a server address`)
  if (url.username !== '' || url.password !== '')
    throw usageFailure('a server address cannot contain a login; use a token')
  return url.origin + withoutSlash(url.pathname)
}
