import { hash, verify, type KeyObject } from 'node:crypto'
import type { Clock } from '../../../../src/domain/clock.ts'
import type { GcsCall } from './call.ts'

/** The accepted keys, and the current time. */
export interface GcsSigner {
  readonly publicKey: KeyObject
  readonly clock: Clock
}

/**
 * Checks a presigned URL, after the documentation of the service ("V4 signing process with your own program",
 * "Canonical requests"): one RSA signature over the whole of it except itself. @returns the error as status
 * and message; null when the URL is valid
 */
export function faultOfAddress(
  { request, url }: GcsCall,
  signer: GcsSigner,
): readonly [number, string] | null {
  const query = (name: string) => url.searchParams.get(`X-Goog-${name}`) ?? ''
  const date = query('Date')
  const scope = query('Credential').split('/').slice(1).join('/')
  if (query('Algorithm') !== 'GOOG4-RSA-SHA256' || query('SignedHeaders') !== 'host')
    return [400, 'Invalid argument.']
  if (scope !== `${date.slice(0, 8)}/auto/storage/goog4_request`) return [400, 'Invalid argument.']
  const canonical = [
    ...[request.method ?? '', url.pathname, canonicalQuery(url)],
    // The package of Google omits the port.
    ...[`host:${url.hostname}\n`, 'host', 'UNSIGNED-PAYLOAD'],
  ].join('\n')
  const signed = ['GOOG4-RSA-SHA256', date, scope, hash('sha256', canonical)].join('\n')
  const signature = Buffer.from(query('Signature'), 'hex')
  if (!verify('RSA-SHA256', Buffer.from(signed), signer.publicKey, signature))
    return [403, 'The request signature we calculated does not match the signature you provided.']
  const start = Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
  const age = signer.clock.now() - start
  const isGood = age >= 0 && age < Number(query('Expires')) * 1000
  return isGood ? null : [400, 'Invalid argument: the signature has expired.']
}

/** All parameters except the signature, as they were sent, in the order of their names. */
const canonicalQuery = (url: URL) =>
  url.search
    .slice(1)
    .split('&')
    .filter((parameter) => !parameter.startsWith('X-Goog-Signature='))
    .sort()
    .join('&')
