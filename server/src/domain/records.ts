import type { AfterEnd, ClientKind, Download, FileStatus, Provider, SenderName } from '@svc/contract'
import type { UserTokenKeys } from './user-token-keys.ts'

/** 0 or 1: the only form of a boolean that all databases share. */
export type Bit = 0 | 1

export const bit = (value: boolean): Bit => (value ? 1 : 0)

/** The row of an upload. Times are milliseconds since the epoch, `ttl` is seconds (-1: unlimited). */
export interface UploadRecord {
  readonly id: string
  /** SHA-256 of the upload token, in base64url: a reader of the database cannot use it. */
  readonly tokenHash: string
  readonly ttl: number
  readonly extendTtl: Bit
  readonly oneShot: Bit
  /** How many times each file can be downloaded; null without a limit, and for one-shot files. */
  readonly maxDownloads: number | null
  readonly removable: Bit
  readonly stream: Bit
  readonly login: string | null
  readonly passwordHash: string | null
  readonly comments: string
  readonly e2ee: string
  /** The options as bits for filters (upload-options.ts). */
  readonly options: number
  /** The source address of the upload. */
  readonly address: string
  /** Files that are declared, arriving or stored: what `MaxFilePerUpload` limits. */
  readonly fileCount: number
  /** Sum of the sizes of the files that are stored, in bytes. */
  readonly size: number
  /** The owner; null for anonymous uploads. */
  readonly userId: string | null
  /** The id of the user token that created it. */
  readonly userToken: string | null
  readonly createdAt: number
  readonly expireAt: number | null
  readonly deletedAt: number | null
  /** The generation of its owner at creation: a mass removal removes uploads of lower generations. */
  readonly generation: number
  /** When it was blanked: its names, comments, addresses and hashes were cleared, after its bytes were deleted. */
  readonly erasedAt: number | null
  /** The upload request that received it. */
  readonly requestId: string | null
  /** A copy of the request's `tokenHash`. */
  readonly requestTokenHash: string | null
  /** The name that its sender gave. */
  readonly sender: string | null
  /** The most bytes of each file, by the request; null for other uploads, -1 without a limit. */
  readonly maxFileSize: number | null
  /**
   * Until when it counts against the limits of its request although nothing has arrived; 0 when it no longer counts. Null once a
   * file has arrived, and for uploads without a request.
   */
  readonly placeUntil: number | null
}

/** An upload without options and password. */
export const uploadWithoutOptions = {
  extendTtl: 0,
  oneShot: 0,
  maxDownloads: null,
  removable: 0,
  stream: 0,
  login: null,
  passwordHash: null,
} as const satisfies Partial<UploadRecord>

/** The row of an upload request. Sizes are bytes, times milliseconds since the epoch. In limits, -1 means none. */
export interface RequestRecord {
  readonly id: string
  /** The owner; null for a guest. */
  readonly userId: string | null
  /** SHA-256 of the request token, in base64url. */
  readonly tokenHash: string
  readonly title: string
  readonly message: string
  readonly createdAt: number
  readonly expireAt: number | null
  readonly closedAt: number | null
  /** When it was removed; its row stays until its uploads are removed. */
  readonly removedAt: number | null
  readonly maxFiles: number
  readonly maxFileSize: number
  readonly maxSize: number
  /** Allowed extensions in lower case, separated by spaces; empty allows all. */
  readonly extensions: string
  readonly oneSender: Bit
  readonly senderName: SenderName
  readonly passwordHash: string | null
  /** The age recipient; empty if files are not encrypted. */
  readonly recipient: string
  /** The private key of the recipient, encrypted with a passphrase: an armored age file. */
  readonly wrappedIdentity: string | null
  /** The same private key, encrypted for each passkey: `PasskeyIdentity[]` in JSON. */
  readonly passkeyIdentities: string | null
  /** The seconds for which a received upload is kept; -1: unlimited. */
  readonly uploadTtl: number
  readonly afterEnd: AfterEnd
  /** The received uploads. */
  readonly uploads: number
  /** Those that the owner has seen. */
  readonly seen: number
  /** Files that have arrived, or that senders have declared. */
  readonly files: number
  /** Bytes that have arrived, or that are reserved for arriving files. */
  readonly size: number
}

/** The row of a file. Sizes are bytes, times milliseconds since the epoch. */
export interface FileRecord {
  readonly id: string
  readonly uploadId: string
  /** The position in the list of files. */
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
  /** The process that is receiving the bytes. */
  readonly instance: string | null
  /** The bytes of the owner's quota that are reserved while the file arrives. */
  readonly reserved: number
  /** The claim of the current download of a one-shot file, and when it expires unless it is renewed. */
  readonly claim: string | null
  readonly claimUntil: number | null
  /**
   * The last bytes of a claimed file may have been sent: when its claim expires, the file counts as downloaded.
   */
  readonly sealed: Bit
  /** The number of downloads of a limited file that failed after more than half of it, and are not counted yet. */
  readonly brokenDownloads: number
  /** The number of downloads that count, of a file with `maxDownloads`. */
  readonly downloads: number
  /** The number of its current downloads, each with a row in `claims`. */
  readonly claimed: number
  /** Whether it has a row in `previews`. */
  readonly preview: Bit
}

/** The fields of a file of which no download has begun, without a preview, and for which nothing is reserved. */
export const unclaimedFile = {
  reserved: 0,
  claim: null,
  claimUntil: null,
  sealed: 0,
  brokenDownloads: 0,
  downloads: 0,
  claimed: 0,
  preview: 0,
} as const satisfies Partial<FileRecord>

/** The claim of a download of a file with `maxDownloads`. */
export interface ClaimRecord {
  readonly fileId: string
  readonly id: string
  readonly uploadId: string
  /** Milliseconds since the epoch: it expires then unless it is renewed. */
  readonly claimUntil: number
  /** The last bytes may have been sent: when the claim expires, the download counts. */
  readonly sealed: Bit
}

/** A download that has ended. */
export interface DownloadRecord {
  readonly uploadId: string
  /** Milliseconds since the epoch. */
  readonly endedAt: number
  readonly id: string
  /** Null for an archive. */
  readonly fileId: string | null
  /** The bytes that were sent. */
  readonly bytes: number
  readonly result: Download['result']
  readonly client: ClientKind
  /** Null unless `ActivityAddresses` was on. */
  readonly address: string | null
}

/** A resumable file that is not complete yet: it arrives in parts, over several connections. */
export interface ResumableRecord {
  readonly fileId: string
  readonly uploadId: string
  /** The bytes of the whole file; null while the sender does not know. */
  readonly size: number | null
  /** The bytes that are safely stored: the offset at which the sender continues. */
  readonly received: number
  /** The state that the data store needs to continue. */
  readonly session: string
  /** The media type; empty until enough bytes have arrived. */
  readonly type: string
  /** The connection that holds the upload lock, and the one that waits for it. */
  readonly writer: string | null
  readonly successor: string | null
  /** Milliseconds since the epoch; each part extends it. */
  readonly expireAt: number
}

/** The row of a user. In limits, 0 means the server's value and -1 none (docs/protocol.md#limits). */
export interface UserRecord {
  /** `PROVIDER:…` (docs/protocol.md#user). */
  readonly id: string
  readonly provider: Provider
  /** The issuer of the identity: the same id of another issuer is another person. */
  readonly issuer: string | null
  /**
   * The permanent account id at the provider; email addresses and logins can change hands. Null before the first
   * login.
   */
  readonly accountId: string | null
  readonly login: string
  readonly name: string
  readonly email: string
  /** Only for local users; argon2id in PHC string format. */
  readonly passwordHash: string | null
  readonly admin: Bit
  readonly maxFileSize: number
  readonly maxUserSize: number
  readonly maxTTL: number
  readonly theme: string
  readonly language: string
  /** The bytes that count against `maxUserSize`: stored files, and reservations of arriving files. */
  readonly usedSize: number
  readonly createdAt: number
  /** Increased by each mass removal of the user's uploads. */
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
  /** The scopes, separated by spaces; null for an unlimited token. */
  readonly scopes: string | null
  readonly createdAt: number
  readonly usedAt: number | null
  readonly expireAt: number | null
  /** The milliseconds from the last use to the expiry; null for a fixed expiry. */
  readonly renewal: number | null
}

/** A pending command-line login. */
export interface CliLoginRecord {
  readonly code: string
  /** SHA-256 of the secret in base64url. */
  readonly secretHash: string
  readonly hostname: string
  /** The address that started it. */
  readonly address: string
  readonly comment: string
  /** The user who approved it. */
  readonly userId: string | null
  readonly createdAt: number
  readonly expireAt: number
}

/** A small picture of a file. */
export interface PreviewRecord {
  readonly fileId: string
  readonly uploadId: string
  /** An image, or an encrypted one in an encrypted upload. */
  readonly content: Uint8Array
}

/** The alias of an upload, the end of its link. */
export interface AliasRecord {
  readonly alias: string
  readonly uploadId: string
  /** Until when it is reserved for the upload and leads nowhere; null while it leads to the upload. */
  readonly heldUntil: number | null
}
