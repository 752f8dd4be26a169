import { fileNameFault, isUserToken, limits, unlimited } from '@svc/contract'
import { isBcrypt, plikUploadHash } from '../../auth/plik-hashes.ts'
import { hashSecret } from '../../auth/secrets.ts'
import { bit } from '../../domain/records.ts'
import { userTokenKeys } from '../../domain/user-token-keys.ts'
import type { Fields } from '../../export/record-lines.ts'
import { flagOf, integerOf, textOf, timeOf, type Row } from './rows.ts'

/** Why an upload has nothing to import; null if it has. */
export type Ended = 'removed' | 'expired' | 'stream'

export function endOf(row: Row, now: number): Ended | null {
  if (timeOf(row, 'deleted_at') !== null) return 'removed'
  if ((timeOf(row, 'expire_at') ?? Infinity) <= now) return 'expired'
  return flagOf(row, 'stream') ? 'stream' : null
}

export interface UploadContext {
  readonly userId: string | null
  readonly now: number
  /** Hashes a secret with the algorithm of this service. */
  readonly hashPassword: (secret: string) => Promise<string>
  readonly randomSecret: () => string
  /** Called with what could not be taken over, as a sentence. */
  readonly onChange: (detail: string) => void
}

export async function uploadOf(row: Row, context: UploadContext): Promise<Fields<'upload'>> {
  const { userId, now, randomSecret } = context
  const token = textOf(row, 'token')
  const createdAt = timeOf(row, 'created_at') ?? now
  const expireAt = timeOf(row, 'expire_at')
  return {
    id: textOf(row, 'id'),
    userId,
    userToken: isUserToken(token) ? userTokenKeys(token).id : null,
    // Without a token in Plik, none fits here.
    tokenHash: hashSecret(textOf(row, 'upload_token') || randomSecret()),
    ttl: expireAt === null ? unlimited : integerOf(row, 'ttl'),
    extendTtl: bit(flagOf(row, 'extend_ttl')),
    oneShot: bit(flagOf(row, 'one_shot')),
    maxDownloads: null,
    removable: bit(flagOf(row, 'removable')),
    stream: 0,
    ...(await protectionOf(row, context)),
    comments: commentsOf(row, context),
    e2ee: textOf(row, 'e2ee'),
    address: addressOf(textOf(row, 'remote_ip')),
    // Known after its files.
    fileCount: 0,
    createdAt,
    expireAt,
    deletedAt: null,
  }
}

const md5 = /^[0-9a-f]{32}$/

/** A protected upload never becomes public: if its password cannot be verified here, none opens it. */
async function protectionOf(
  row: Row,
  { hashPassword, randomSecret, onChange }: UploadContext,
): Promise<Pick<Fields<'upload'>, 'login' | 'passwordHash'>> {
  const stored = textOf(row, 'password')
  if (!flagOf(row, 'protected_by_password') && stored === '') return { login: null, passwordHash: null }
  const login = textOf(row, 'login') || 'plik'
  if (isBcrypt(stored)) return { login, passwordHash: plikUploadHash('sha256', stored) }
  // Versions before 1.4 stored a digest without a salt.
  if (md5.test(stored)) return { login, passwordHash: plikUploadHash('md5', await hashPassword(stored)) }
  onChange('its password is in an unknown format: only its owner and its upload token can download')
  return { login, passwordHash: await hashPassword(randomSecret()) }
}

function commentsOf(row: Row, { onChange }: UploadContext): string {
  const comments = textOf(row, 'comments')
  const characters = Array.from(comments)
  if (characters.length <= limits.commentsBytes) return comments
  onChange(`its comments were cut after ${String(limits.commentsBytes)} characters`)
  return characters.slice(0, limits.commentsBytes).join('')
}

const longestAddress = 45

const addressOf = (address: string): string => (address.length <= longestAddress ? address : '')

/** The hashes and the size of bytes that were read. */
export interface FileContent {
  readonly size: number
  readonly md5: string
  readonly crc32: number
}

/**
 * A file.
 * @param content of an uploaded file; null for a file without bytes
 */
export function fileOf(
  row: Row,
  {
    position,
    fileName,
    now,
    content,
  }: {
    readonly position: number
    readonly fileName: string
    readonly now: number
    readonly content: FileContent | null
  },
): Fields<'file'> {
  const createdAt = timeOf(row, 'created_at') ?? now
  const isMissing = textOf(row, 'status') === 'missing'
  const reference = textOf(row, 'reference')
  return {
    id: textOf(row, 'id'),
    uploadId: textOf(row, 'upload_id'),
    position,
    reference: isMissing && reference !== '' && reference.length <= limits.referenceLength ? reference : null,
    fileName,
    fileSize: content?.size ?? (isMissing ? 0 : Math.max(0, integerOf(row, 'size') || 0)),
    type: textOf(row, 'type').slice(0, longestType),
    md5: content?.md5 ?? '',
    crc32: content?.crc32 ?? 0,
    status: content !== null ? 'uploaded' : isMissing ? 'missing' : 'deleted',
    createdAt,
    uploadedAt: content === null ? null : createdAt,
    instance: null,
    reserved: 0,
    claim: null,
    claimUntil: null,
    sealed: 0,
    brokenDownloads: 0,
    downloads: 0,
    claimed: 0,
  }
}

const longestType = 255

/** The nearest name that this service accepts. */
export function acceptableName(name: string): string {
  if (fileNameFault(name) === undefined) return name
  const segments = Array.from(name)
    .map((character) => (fileNameFault(`a${character}a`) === undefined ? character : '_'))
    .slice(0, limits.fileNameLength)
    .join('')
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => (segment === '.' || segment === '..' ? '_' : segment))
  return segments.join('/') || 'file'
}
