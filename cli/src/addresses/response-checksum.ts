import type { Algorithm, Checksum } from '../files/checksum.ts'

/** Algorithms by their names in headers (RFC 9530 §5, RFC 3230 §4.1.1), the strongest first. */
const algorithms: readonly (readonly [string, Algorithm, bytes: number])[] = [
  ['sha-512', 'sha512', 64],
  ['sha-256', 'sha256', 32],
  ['sha', 'sha1', 20],
  ['md5', 'md5', 16],
]

/** The members of a list such as `sha-256=:BASE64:, md5=:…:`, or `SHA-256=BASE64`, by their names in lower case. */
function membersOf(header: string): ReadonlyMap<string, Buffer> {
  return new Map(
    header.split(',').flatMap((member) => {
      const [, name, base64] = /^\s*([\w-]+)=:?([A-Za-z0-9+/]+={0,2}):?\s*$/.exec(member) ?? []
      return name === undefined || base64 === undefined
        ? []
        : [[name.toLowerCase(), Buffer.from(base64, 'base64')] as const]
    }),
  )
}

/** In the order of preference. All describe the whole content of a response without a range. */
const headerNames = ['repr-digest', 'content-digest', 'digest'] as const

/**
 * The strongest checksum that a response without a range states for its content; undefined without one, or with one that
 * cannot be verified.
 */
export function responseChecksum(headers: Headers): Checksum | undefined {
  const stated = headerNames.map((name) => membersOf(headers.get(name) ?? ''))
  const md5 = headers.get('content-md5')
  if (md5 !== null) stated.push(membersOf(`md5=${md5.trim()}`))
  for (const [name, algorithm, bytes] of algorithms)
    for (const members of stated) {
      const value = members.get(name)
      if (value?.length === bytes) return { algorithm, value: value.toString('hex') }
    }
  return undefined
}
