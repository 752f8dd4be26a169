import type { FileStatus } from '@svc/contract'

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
  /** Where the upload came from. */
  readonly address: string
  /** Files that are declared, arriving or stored: what `MaxFilePerUpload` limits. */
  readonly fileCount: number
  readonly createdAt: number
  readonly expireAt: number | null
  readonly deletedAt: number | null
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
  /** Who is downloading a one-shot file right now, and until when without a sign of life. */
  readonly claim: string | null
  readonly claimUntil: number | null
  /** Downloads of a one-shot file that broke off after more than half of it. */
  readonly brokenDownloads: number
}
