import { limits } from '@svc/contract'
import { parseScopes, serializeScopes } from '../domain/access/access.ts'
import { userID } from '../domain/access/user-id.ts'
import { parseFileName } from '../domain/files/file-name.ts'
import { userTokenId } from '../domain/user-token-keys.ts'
import { problemInRequest, problemInSettings, problemInWebhook } from './api-checks.ts'
import type { Fields, Line, RecordKind } from './record-lines.ts'

/**
 * Checks a record beyond its schema.
 * @returns the problem as the rest of a sentence, or null
 */
export function contradictionIn({ kind, fields }: Line<RecordKind>): string | null {
  switch (kind) {
    case 'user':
      return contradictionInUser(fields)
    case 'upload':
      return contradictionInUpload(fields)
    case 'file':
      return contradictionInFile(fields)
    case 'token':
      return contradictionInToken(fields)
    case 'webhook':
      return problemInWebhook(fields)
    case 'notification':
      return problemInSettings(fields)
    case 'request':
      return problemInRequest(fields)
    case 'preview':
    case 'alias':
    case 'download':
    case 'figure':
      return null
  }
}

function contradictionInUser({ id, provider, login }: Fields<'user'>): string | null {
  const named = provider === 'local' ? id === userID(provider, login) : id.startsWith(userID(provider, ''))
  return named ? null : 'id does not match provider and login'
}

function contradictionInUpload({ login, passwordHash, comments }: Fields<'upload'>): string | null {
  if ((login === null) !== (passwordHash === null))
    return 'login and passwordHash must both be set or both be null'
  return Buffer.byteLength(comments) > limits.commentsBytes
    ? `comments must have at most ${String(limits.commentsBytes)} bytes`
    : null
}

function contradictionInToken({ id, tokenHash, scopes }: Fields<'token'>): string | null {
  if (id !== userTokenId(tokenHash)) return 'id does not match tokenHash'
  return scopes === '' || scopes !== serializeScopes(parseScopes(scopes)) ? 'scopes are invalid' : null
}

function contradictionInFile(file: Fields<'file'>): string | null {
  const name = parseFileName(file.fileName, { folders: true })
  if (!name.ok) return name.reason
  if ((file.claim === null) !== (file.claimUntil === null))
    return 'claim and claimUntil must both be set or both be null'
  if (file.status === 'uploaded' && (file.uploadedAt === null || file.md5 === ''))
    return 'an uploaded file needs uploadedAt and md5'
  // Without its instance, cleanup would never discard the file.
  return file.status === 'uploading' && file.instance === null ? 'an uploading file needs its instance' : null
}
