import type { FileStatus, Provider } from '@svc/contract'
import type { UserTokenKeys } from './user-token-keys.ts'

/** 0 or 1: the one spelling of a truth value that all databases share. */
export type Bit = 0 | 1

export const bit = (value: boolean): Bit => (value ? 1 : 0)

/** An upload as it is kept. Times are milliseconds since the epoch, `ttl` is seconds (-1: for ever). */
export interface UploadRecord {
  readonly id: string
  /** SHA-256 of the upload token, in base64url: whoever reads the database cannot use it. */
  readonly tokenHash: string
  readonly ttl: number
  readonly extendTtl: Bit
  readonly oneShot: Bit
  readonly removable: Bit
  readonly stream: Bit
  readonly login: string | null
  readonly passwordHash: string | null
  readonly comments: string
  readonly e2ee: string
  /** The options once more, as bits for filters (upload-options.ts). */
  readonly options: number
  /** Where the upload came from. */
  readonly address: string
  /** Files that are declared, arriving or stored: what `MaxFilePerUpload` limits. */
  readonly fileCount: number
  /** Sum of the sizes of the files that are stored, in bytes. */
  readonly size: number
  /** Its owner; null for anonymous uploads. */
  readonly userId: string | null
  /** Id of the user token that it was created with. */
  readonly userToken: string | null
  readonly createdAt: number
  readonly expireAt: number | null
  readonly deletedAt: number | null
  /** That of its owner when it was created: a mass removal removes those of lower generations. */
  readonly generation: number
  /** When its names, comments, addresses and hashes were blanked, after its bytes. */
  readonly erasedAt: number | null
}

/** A file as it is kept. Sizes are bytes, times milliseconds since the epoch. */
export interface FileRecord {
  readonly id: string
  readonly uploadId: string
  /** Place in the listing. */
  readonly position: number
  readonly reference: string | null
  readonly fileName: string
  readonly fileSize: number
  readonly type: string
  readonly md5: string
  readonly crc32: number
  readonly status: FileStatus
  readonly createdAt: number
  readonly uploadedAt: number | null
  /** The server process that is receiving the bytes. */
  readonly instance: string | null
  /** Bytes of the owner's quota that are kept free for it while it arrives. */
  readonly reserved: number
  /** Who is downloading a one-shot file right now, and until when without a sign of life. */
  readonly claim: string | null
  readonly claimUntil: number | null
  /** The last bytes of a claimed file may have been sent: when its claim lapses, the file counts as downloaded. */
  readonly sealed: Bit
  /** Downloads of a one-shot file that broke off after more than half of it. */
  readonly brokenDownloads: number
}

/** A file that is sent in pieces, over several connections, and is not complete yet. */
export interface ResumableRecord {
  readonly fileId: string
  readonly uploadId: string
  /** Bytes that the whole file has; null while its sender does not know. */
  readonly size: number | null
  /** Bytes from the first on that are safely stored: where the sender goes on. */
  readonly received: number
  /** What the data store needs to go on. */
  readonly session: string
  /** Media type, once enough has come to tell it; empty before. */
  readonly type: string
  /** The connection that may write, and the one that waits to take over from it. */
  readonly writer: string | null
  readonly successor: string | null
  /** Milliseconds since the epoch; each piece puts it off. */
  readonly expireAt: number
}

/** A user as it is kept. Limits are as in the specification (§8, rule 2): 0 for the server's value, -1 for none. */
export interface UserRecord {
  /** `PROVIDER:…` (specification §2). */
  readonly id: string
  readonly provider: Provider
  /** Who vouches for a user of a provider: the same id of another issuer is somebody else. */
  readonly issuer: string | null
  /** What the provider calls the account for ever, while e-mail addresses and logins go to others; null before a login. */
  readonly accountId: string | null
  readonly login: string
  readonly name: string
  readonly email: string
  /** Of local users; argon2id in PHC string format. */
  readonly passwordHash: string | null
  readonly admin: Bit
  readonly maxFileSize: number
  readonly maxUserSize: number
  readonly maxTTL: number
  readonly theme: string
  readonly language: string
  /** Bytes that count against `maxUserSize`: what is stored, and what is reserved for files that arrive. */
  readonly usedSize: number
  readonly createdAt: number
  /** Each mass removal of the user's uploads begins a new one. */
  readonly generation: number
  /** When the account was deleted; its row stays until its uploads are removed. */
  readonly removedAt: number | null
}

/** A signed-in browser. */
export interface SessionRecord {
  readonly id: string
  readonly userId: string
  readonly userAgent: string
  readonly address: string
  readonly createdAt: number
  readonly usedAt: number
  readonly expireAt: number
}

/** A user's upload token. */
export interface TokenRecord extends UserTokenKeys {
  readonly userId: string
  readonly comment: string
  /** What it is limited to, separated by spaces; null: to nothing. */
  readonly scopes: string | null
  readonly createdAt: number
  readonly usedAt: number | null
  readonly expireAt: number | null
  /** Milliseconds from its last use to its end; null where the end stays where it is. */
  readonly renewal: number | null
}

/** A command-line login on its way. */
export interface CliLoginRecord {
  readonly code: string
  /** SHA-256 of the secret in base64url. */
  readonly secretHash: string
  readonly hostname: string
  /** Where it was started from. */
  readonly address: string
  readonly comment: string
  /** Who approved it. */
  readonly userId: string | null
  readonly createdAt: number
  readonly expireAt: number
}
