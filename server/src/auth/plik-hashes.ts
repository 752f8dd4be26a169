import { hash } from 'node:crypto'

/** Bcrypt as Plik writes it, with an affordable cost: each step doubles the time, and 14 takes a second. */
export const bcryptPattern = String.raw`\$2[aby]\$(?:0[4-9]|1[0-5])\$[./0-9A-Za-z]{53}`

const bcrypt = new RegExp(`^${bcryptPattern}$`)

/** Whether a hash is one of bcrypt, which `svcd import` took over from Plik. */
export const isBcrypt = (passwordHash: string): boolean => bcrypt.test(passwordHash)

/**
 * What Plik hashes for a protected upload: a digest of the credentials as in HTTP Basic. The hash of such an upload begins
 * with the name of the digest.
 */
const digests = [
  { prefix: '$plik-sha256', algorithm: 'sha256' },
  { prefix: '$plik-md5', algorithm: 'md5' },
] as const

export const plikPrefixPattern = String.raw`\$plik-(?:sha256|md5)`

/** The hash to store of a protected upload of Plik. */
export const plikUploadHash = (algorithm: 'sha256' | 'md5', passwordHash: string): string =>
  `$plik-${algorithm}${passwordHash}`

/**
 * The text to verify for a protected upload: the password, or the digest of an upload from Plik.
 * @param passwordHash as stored
 * @returns the text, and the hash to verify it with
 */
export function uploadSecret(
  { login, password }: { readonly login: string; readonly password: string },
  passwordHash: string,
): { readonly secret: string; readonly hash: string } {
  const digest = digests.find(({ prefix }) => passwordHash.startsWith(prefix))
  if (digest === undefined) return { secret: password, hash: passwordHash }
  const credentials = Buffer.from(`${login}:${password}`).toString('base64')
  return {
    secret: hash(digest.algorithm, credentials),
    hash: passwordHash.slice(digest.prefix.length),
  }
}
