import { isUserToken, limits, unlimited } from '@svc/contract'
import { isBcrypt, plikUploadHash } from '../../auth/imported-hashes.ts'
import { hashSecret } from '../../auth/secrets.ts'
import { bit } from '../../domain/records.ts'
import { userTokenKeys } from '../../domain/user-token-keys.ts'
import type { Fields } from '../../export/record-lines.ts'
import type { FileContent } from '../reading/content.ts'
import { acceptableComments, plainUpload, uploadedFile } from '../records.ts'
import type { EndReason, UploadContext } from '../source.ts'
import { flagOf, integerOf, textOf, timeOf, type Row } from '../rows.ts'

export function endOf(row: Row, now: number): EndReason | null {
  if (timeOf(row, 'deleted_at') !== null) return 'removed'
  if ((timeOf(row, 'expire_at') ?? Infinity) <= now) return 'expired'
  return flagOf(row, 'stream') ? 'stream' : null
}

/** An upload of Plik. */
export async function uploadOf(
  row: Row,
  { userId, now }: { readonly userId: string | null; readonly now: number },
  context: UploadContext,
): Promise<Fields<'upload'>> {
  const { randomSecret, onChange } = context
  const token = textOf(row, 'token')
  const createdAt = timeOf(row, 'created_at') ?? now
  const expireAt = timeOf(row, 'expire_at')
  return {
    ...plainUpload,
    id: textOf(row, 'id'),
    userId,
    userToken: isUserToken(token) ? userTokenKeys(token).id : null,
    // Without a token in Plik, none fits here.
    tokenHash: hashSecret(textOf(row, 'upload_token') || randomSecret()),
    ttl: expireAt === null ? unlimited : integerOf(row, 'ttl'),
    extendTtl: bit(flagOf(row, 'extend_ttl')),
    oneShot: bit(flagOf(row, 'one_shot')),
    removable: bit(flagOf(row, 'removable')),
    ...(await protectionOf(row, context)),
    comments: acceptableComments(textOf(row, 'comments'), onChange),
    e2ee: textOf(row, 'e2ee'),
    address: addressOf(textOf(row, 'remote_ip')),
    createdAt,
    expireAt,
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

const longestAddress = 45

const addressOf = (address: string): string => (address.length <= longestAddress ? address : '')

/**
 * A file.
 * @param content content of an uploaded file; null for a file without bytes
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
  const file = uploadedFile(content, {
    id: textOf(row, 'id'),
    uploadId: textOf(row, 'upload_id'),
    position,
    fileName,
    type: textOf(row, 'type'),
    createdAt,
  })
  if (content !== null) return file
  return {
    ...file,
    reference: isMissing && reference !== '' && reference.length <= limits.referenceLength ? reference : null,
    fileSize: isMissing ? 0 : Math.max(0, integerOf(row, 'size') || 0),
    status: isMissing ? 'missing' : 'deleted',
    // A gone file was complete once, unlike one that failed.
    uploadedAt: isMissing ? null : createdAt,
  }
}
