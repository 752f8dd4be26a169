import { hash } from 'node:crypto'

/** Bcrypt as Plik writes it, with an affordable cost: each step doubles the time, and 14 takes a second. */
export const bcryptPattern = String.raw`\$2[aby]\$(?:0[4-9]|1[0-5])\$[./0-9A-Za-z]{53}`

const bcrypt = new RegExp(`^${bcryptPattern}$`)

/** Whether a hash is one of bcrypt, which `svcd import` took over from Plik. */
export const isBcrypt = (passwordHash: string): boolean => bcrypt.test(passwordHash)

/**
 * What another service hashes for a protected upload. The hash of such an upload begins with the name of the digest, and its
 * salt if it has one.
 */
interface Digest {
  readonly prefix: RegExp
  readonly digest: (credentials: Credentials, salt: string) => string
}

interface Credentials {
  readonly login: string
  readonly password: string
}

/** Plik digests the credentials as in HTTP Basic. */
const ofPlik =
  (algorithm: 'sha256' | 'md5') =>
  ({ login, password }: Credentials): string =>
    hash(algorithm, Buffer.from(`${login}:${password}`).toString('base64'))

const saltPattern = '[0-9A-Za-z]{1,64}'

const digests: readonly Digest[] = [
  { prefix: /^\$plik-sha256/, digest: ofPlik('sha256') },
  { prefix: /^\$plik-md5/, digest: ofPlik('md5') },
  // Gokapi has a salt for all files, and no login.
  {
    prefix: new RegExp(String.raw`^\$gokapi-sha1-(?<salt>${saltPattern})`),
    digest: ({ password }, salt) => hash('sha1', password + salt),
  },
]

export const importedPrefixPattern = String.raw`(?:\$plik-(?:sha256|md5)|\$gokapi-sha1-${saltPattern})`

/** The hash to store of a protected upload of Plik. */
export const plikUploadHash = (algorithm: 'sha256' | 'md5', passwordHash: string): string =>
  `$plik-${algorithm}${passwordHash}`

const gokapiSalt = new RegExp(`^${saltPattern}$`)

/** Whether passwords with this salt of Gokapi can be verified. */
export const isGokapiSalt = (salt: string): boolean => gokapiSalt.test(salt)

/**
 * The hash to store of a protected file of Gokapi.
 * @param passwordHash hash of the digest that Gokapi has stored
 */
export const gokapiUploadHash = (salt: string, passwordHash: string): string =>
  `$gokapi-sha1-${salt}${passwordHash}`

/**
 * The highest cost of a hash of argon2id: a higher one would delay the logins of all users. The module argon2 of npm has 64 MiB,
 * 3 passes and 4 lanes.
 */
export const highestArgon2Cost = {
  /** KiB */
  memory: 65_536,
  passes: 4,
  lanes: 4,
} as const

/** The start of a hash of argon2id from elsewhere, with a valid cost (RFC 9106 §3.1) that is not above the highest. */
export const argon2CostPattern = String.raw`\$argon2id\$v=19\$m=(?:[1-9]\d{2,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-6]),t=[1-4],p=[1-4]`

const phc = new RegExp(String.raw`^${argon2CostPattern}\$[+/\w]{11,86}\$[+/\w]{22,86}$`)

/**
 * A hash of argon2id in PHC string format, in the alphabet of base64url that this service writes.
 * @returns null for any other hash, and for one whose verification would cost too much
 */
export const argon2Hash = (passwordHash: string): string | null =>
  phc.test(passwordHash) ? passwordHash.replaceAll('+', '-').replaceAll('/', '_') : null

/**
 * The text to verify for a protected upload: the password, or the digest of an imported upload.
 * @param passwordHash as stored
 * @returns the text, and the hash to verify it with
 */
export function uploadSecret(
  credentials: Credentials,
  passwordHash: string,
): { readonly secret: string; readonly hash: string } {
  for (const { prefix, digest } of digests) {
    const found = prefix.exec(passwordHash)
    if (found !== null)
      return {
        secret: digest(credentials, found.groups?.['salt'] ?? ''),
        hash: passwordHash.slice(found[0].length),
      }
  }
  return { secret: credentials.password, hash: passwordHash }
}
