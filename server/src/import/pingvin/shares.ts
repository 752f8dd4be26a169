import { defaultUploadLogin, pagePath } from '@svc/contract'
import { argon2Hash } from '../../auth/imported-hashes.ts'
import { hashSecret } from '../../auth/secrets.ts'
import type { Fields } from '../../export/record-lines.ts'
import { readFileContent } from '../reading/content.ts'
import { derivedId } from '../derived-id.ts'
import { downloadLimit } from '../download-limit.ts'
import { acceptableComments, endingAt, plainUpload, unknownPassword, uploadedFile } from '../records.ts'
import { flagOf, integerOf, textOf, timeOf, type Row } from '../rows.ts'
import type { EndReason, SourceFile, SourceUpload, UploadContext } from '../source.ts'

/** A share with the rows that belong to it. */
export interface ShareRows {
  readonly share: Row
  /** Null for a share without password and limit. */
  readonly security: Row | null
  /** In the order of their names. */
  readonly files: readonly Row[]
}

export interface PingvinContext {
  /** The ids in this service of the users, by their ids there. */
  readonly users: ReadonlyMap<string, string>
  /** Directory of the files. */
  readonly files: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

export function uploadOf(rows: ShareRows, { users, files, now }: PingvinContext): SourceUpload {
  const { share, security } = rows
  const oldId = textOf(share, 'id')
  const id = derivedId('pingvin', oldId)
  const createdAt = Math.min(now, timeOf(share, 'createdAt') ?? now)
  const views = remainingViews(share, security)
  const encoded = encodeURIComponent(oldId)
  return {
    id,
    sourceId: oldId,
    end: endOf(share, views, now),
    refusal: refusalOf(rows, oldId),
    redirects: ['share', 's'].map((page) => ({ from: `/${page}/${encoded}`, to: pagePath(id) })),
    files: rows.files.map((row) => fileOf(row, { files, oldId, uploadId: id, createdAt })),
    async fields(context) {
      const owner = textOf(share, 'creatorId')
      const userId = users.get(owner) ?? null
      if (owner !== '' && userId === null)
        context.onChange(`its owner ${owner} does not exist: it has no owner here`)
      if (views !== null)
        context.onChange(`its limit of ${String(views)} more views limits the downloads of each file now`)
      const expireAt = endTime(share)
      return {
        ...plainUpload,
        id,
        userId,
        // Pingvin has no token of an upload.
        tokenHash: hashSecret(context.randomSecret()),
        ...endingAt(expireAt, createdAt),
        ...downloadLimit(views),
        ...(await protectionOf(security === null ? '' : textOf(security, 'password'), context)),
        comments: acceptableComments(commentsOf(share), context.onChange),
        createdAt,
      }
    },
  }
}

/** Null for a share that never ends, which has the epoch. */
const endTime = (share: Row): number | null => timeOf(share, 'expiration') || null

function remainingViews(share: Row, security: Row | null): number | null {
  const most = security === null ? 0 : integerOf(security, 'maxViews') || 0
  return most < 1 ? null : Math.max(0, most - (integerOf(share, 'views') || 0))
}

function endOf(share: Row, views: number | null, now: number): EndReason | null {
  if (textOf(share, 'removedReason') !== '' || textOf(share, 'blockedAt') !== '') return 'removed'
  if ((endTime(share) ?? Infinity) <= now) return 'expired'
  return views === 0 ? 'used up' : null
}

/** Ids are part of paths. */
const isPathSegment = (id: string): boolean => /^[\w-]+$/.test(id)

function refusalOf({ share, security, files }: ShareRows, id: string): string | null {
  if (!isPathSegment(id)) return 'its id is not one of Pingvin Share'
  if (!flagOf(share, 'uploadLocked')) return 'it was never completed'
  if (textOf(share, 'storageProvider') === 'S3')
    return 'its files are in S3: svcd imports shares of the local storage only'
  if (textOf(share, 'storagePath') !== '' || files.some((file) => textOf(file, 'storageName') !== ''))
    return 'its files are in a directory outside of uploads/shares, which svcd does not import'
  if (security !== null && flagOf(security, 'restrictToRecipients'))
    return 'only certain users may open it, which svcd does not have: it would become public'
  return files.length === 0 ? 'it has no files' : null
}

function commentsOf(share: Row): string {
  const parts = [textOf(share, 'name'), textOf(share, 'description')]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** A protected share never becomes public: if its password cannot be verified here, none opens it. */
async function protectionOf(
  stored: string,
  context: UploadContext,
): Promise<Pick<Fields<'upload'>, 'login' | 'passwordHash'>> {
  if (stored === '') return { login: null, passwordHash: null }
  const login = defaultUploadLogin
  const passwordHash = argon2Hash(stored)
  if (passwordHash !== null) return { login, passwordHash }
  return { login, passwordHash: await unknownPassword(context) }
}

interface FileParts {
  readonly files: string
  readonly oldId: string
  readonly uploadId: string
  /** Of the share. */
  readonly createdAt: number
}

function fileOf(row: Row, { files, oldId, uploadId, createdAt }: FileParts): SourceFile {
  const sourceId = textOf(row, 'id')
  const id = derivedId('pingvin', oldId, sourceId)
  return {
    id,
    sourceId,
    name: textOf(row, 'name'),
    leftOut: isPathSegment(sourceId)
      ? null
      : { kind: 'refused', detail: 'its id is not one of Pingvin Share' },
    content: {
      open: () => readFileContent({ root: files, segments: [oldId, sourceId] }),
      size: integerOf(row, 'size'),
      md5: '',
      sha1: '',
    },
    fields: ({ content, ...stored }) =>
      uploadedFile(content, {
        id,
        uploadId,
        ...stored,
        createdAt: timeOf(row, 'createdAt') ?? createdAt,
      }),
  }
}
