import { defaultUploadLogin, filePath, pagePath } from '@svc/contract'
import { gokapiUploadHash, isGokapiSalt } from '../../auth/imported-hashes.ts'
import { hashSecret } from '../../auth/secrets.ts'
import type { Fields } from '../../export/record-lines.ts'
import { readFileContent } from '../reading/content.ts'
import { derivedId } from '../derived-id.ts'
import { downloadLimit } from '../download-limit.ts'
import { acceptableName } from '../file-names.ts'
import { endingAt, plainUpload, unknownPassword, uploadedFile } from '../records.ts'
import { flagOf, integerOf, textOf, type Row } from '../rows.ts'
import type { EndReason, Redirect, SourceUpload, UploadContext } from '../source.ts'
import { encryptionOf } from './encryption.ts'

export interface GokapiContext {
  /** The ids in this service of the users, by their numbers. */
  readonly users: ReadonlyMap<string, string>
  /** Directory of the files. */
  readonly files: string
  readonly salt: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** A file of Gokapi with its limits and its password: an upload with one file. */
export function uploadOf(row: Row, { users, files, salt, now }: GokapiContext): SourceUpload {
  const oldId = textOf(row, 'Id')
  const id = derivedId('gokapi', oldId)
  const fileId = derivedId('gokapi', oldId, 'file')
  const sha1 = textOf(row, 'SHA1')
  const name = textOf(row, 'Name')
  const createdAt = Math.min(now, (integerOf(row, 'UploadDate') || 0) * 1_000 || now)
  const remaining = remainingDownloads(row)
  return {
    id,
    sourceId: oldId,
    end: endOf(row, remaining, now),
    refusal: refusalOf(row, sha1),
    redirects: redirectsOf(row, { page: pagePath(id), file: filePath(id, fileId, acceptableName(name)) }),
    async fields(context) {
      const owner = textOf(row, 'UserId')
      const userId = users.get(owner) ?? null
      if (userId === null) context.onChange(`its owner ${owner} does not exist: it has no owner here`)
      return {
        ...plainUpload,
        id,
        userId,
        // Gokapi has no token of an upload.
        tokenHash: hashSecret(context.randomSecret()),
        ...endingAt(expiry(row), createdAt),
        ...downloadLimit(remaining),
        ...(await protectionOf(textOf(row, 'PasswordHash'), salt, context)),
        createdAt,
      }
    },
    files: [
      {
        id: fileId,
        sourceId: oldId,
        name,
        leftOut: null,
        content: {
          open: () => readFileContent({ root: files, segments: [sha1] }),
          size: integerOf(row, 'SizeBytes'),
          md5: '',
          sha1,
        },
        fields: ({ content, ...stored }) =>
          uploadedFile(content, {
            id: fileId,
            uploadId: id,
            ...stored,
            createdAt,
          }),
      },
    ],
  }
}

const remainingDownloads = (row: Row): number | null =>
  flagOf(row, 'UnlimitedDownloads') ? null : integerOf(row, 'DownloadsRemaining') || 0

const expiry = (row: Row): number | null =>
  flagOf(row, 'UnlimitedTime') ? null : (integerOf(row, 'ExpireAt') || 0) * 1_000

function endOf(row: Row, remaining: number | null, now: number): EndReason | null {
  if ((integerOf(row, 'PendingDeletion') || 0) !== 0) return 'removed'
  if ((expiry(row) ?? Infinity) <= now) return 'expired'
  return remaining !== null && remaining < 1 ? 'used up' : null
}

const sha1Pattern = /^[0-9a-f]{40}$/

function refusalOf(row: Row, sha1: string): string | null {
  if (textOf(row, 'Id') === '') return 'it has no id'
  if (textOf(row, 'AwsBucket') !== '')
    return 'its bytes are in S3: move them into the data directory in Gokapi'
  switch (encryptionOf(row['Encryption'])) {
    case 'encrypted':
      return 'Gokapi has encrypted it, and only Gokapi can decrypt it: download it there, and upload it here'
    case 'unknown':
      return 'the record of its encryption is damaged'
    case 'none':
      return sha1Pattern.test(sha1) ? null : 'its SHA-1, which names its bytes, is damaged'
  }
}

/** A protected file never becomes public: if its password cannot be verified here, none opens it. */
async function protectionOf(
  stored: string,
  salt: string,
  context: UploadContext,
): Promise<Pick<Fields<'upload'>, 'login' | 'passwordHash'>> {
  if (stored === '') return { login: null, passwordHash: null }
  const login = defaultUploadLogin
  if (sha1Pattern.test(stored) && isGokapiSalt(salt))
    return { login, passwordHash: gokapiUploadHash(salt, await context.hashPassword(stored)) }
  return { login, passwordHash: await unknownPassword(context) }
}

/** The addresses that Gokapi gives out: of a page, and of the bytes where the file is neither protected nor encrypted. */
function redirectsOf(row: Row, to: { readonly page: string; readonly file: string }): readonly Redirect[] {
  const id = encodeURIComponent(textOf(row, 'Id'))
  const name = encodeURIComponent(textOf(row, 'Name'))
  const hotlink = encodeURIComponent(textOf(row, 'HotlinkId'))
  return [
    { from: `/d?id=${id}`, to: to.page },
    { from: `/d/${id}/${name}`, to: to.page },
    { from: `/downloadFile?id=${id}`, to: to.file },
    { from: `/dh/${id}/${name}`, to: to.file },
    ...(hotlink === '' ? [] : [{ from: `/hotlink/${hotlink}`, to: to.file }]),
  ]
}
