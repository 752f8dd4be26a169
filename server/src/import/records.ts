import { limits, unlimited } from '@svc/contract'
import { bit, unclaimedFile, uploadWithoutOptions } from '../domain/records.ts'
import type { Fields } from '../export/record-lines.ts'
import type { FileContent } from './reading/content.ts'
import type { UploadContext } from './source.ts'

/** A text that is cut after a number of characters. */
export const truncated = (text: string, length: number): string => Array.from(text).slice(0, length).join('')

/** A text that is cut after a number of bytes in UTF-8, between characters. */
function cutToBytes(text: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes))
  return text.slice(0, read)
}

const longestType = 255

/** An upload without options, which never ends. */
export const plainUpload = {
  userId: null,
  userToken: null,
  ttl: unlimited,
  ...uploadWithoutOptions,
  comments: '',
  e2ee: '',
  address: '',
  // Known after its files.
  fileCount: 0,
  expireAt: null,
  deletedAt: null,
} as const satisfies Partial<Fields<'upload'>>

/**
 * The end of an upload, and its time to live.
 * @param expireAt null for one that never ends
 */
export const endingAt = (
  expireAt: number | null,
  createdAt: number,
): Partial<Pick<Fields<'upload'>, 'expireAt' | 'ttl'>> =>
  expireAt === null ? {} : { expireAt, ttl: Math.ceil((expireAt - createdAt) / 1_000) }

/** The hash for a protected upload whose password cannot be verified here: none opens it, and it never becomes public. */
export function unknownPassword({ hashPassword, randomSecret, onChange }: UploadContext): Promise<string> {
  onChange('its password is in an unknown format: only its owner can download')
  return hashPassword(randomSecret())
}

/**
 * Comments within the limit of this service.
 * @param onChange called when they are cut
 */
export function acceptableComments(comments: string, onChange: (detail: string) => void): string {
  const short = cutToBytes(comments, limits.commentsBytes)
  if (short !== comments) onChange(`its comments were cut after ${String(limits.commentsBytes)} bytes`)
  return short
}

/** A local user. */
export function localUser(user: {
  readonly id: string
  readonly login: string
  readonly email: string
  readonly passwordHash: string | null
  readonly isAdmin: boolean
  readonly createdAt: number
}): Fields<'user'> {
  return {
    id: user.id,
    provider: 'local',
    issuer: null,
    accountId: null,
    login: user.login,
    name: '',
    email: truncated(user.email, limits.profileTextLength),
    passwordHash: user.passwordHash,
    admin: bit(user.isAdmin),
    maxFileSize: 0,
    maxUserSize: 0,
    maxTTL: 0,
    theme: '',
    language: '',
    createdAt: user.createdAt,
  }
}

/**
 * The fields of a file that was uploaded completely.
 * @param content null for a file without bytes
 */
export function uploadedFile(
  content: FileContent | null,
  file: {
    readonly id: string
    readonly uploadId: string
    readonly position: number
    readonly fileName: string
    readonly type: string
    readonly createdAt: number
  },
): Fields<'file'> {
  return {
    id: file.id,
    uploadId: file.uploadId,
    position: file.position,
    reference: null,
    fileName: file.fileName,
    fileSize: content?.size ?? 0,
    type: file.type.slice(0, longestType),
    md5: content?.md5 ?? '',
    crc32: content?.crc32 ?? 0,
    status: 'uploaded',
    createdAt: file.createdAt,
    uploadedAt: file.createdAt,
    instance: null,
    ...unclaimedFile,
  }
}
