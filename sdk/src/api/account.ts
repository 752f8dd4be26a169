import type {
  NewUserToken,
  Page,
  ProfileUpdate,
  Session,
  TokenListing,
  Upload,
  UploadListing,
  User,
  UserStats,
  UserToken,
} from '@svc/contract'
import type { Connection } from '../http/connection.ts'
import { uploadListing } from './listings.ts'
import { segment, withQuery } from '../core/paths.ts'
import { withJson } from '../http/fetch-transport.ts'

/** What people do with their own account (specification §4, "Current-user endpoints"). */
export function accountCalls({ json, remove }: Connection) {
  return {
    /** The current user; while an admin acts as another, that one. */
    me: () => json<User>('/me'),
    updateMe: (profile: ProfileUpdate) => json<User>('/me', withJson('PATCH', profile)),
    removeMe: () => remove('/me'),

    myTokens: (query: TokenListing = {}) => json<Page<UserToken>>(withQuery('/me/token', query)),
    /** The only answer that has the whole token. */
    createMyToken: (token: NewUserToken = {}) => json<UserToken>('/me/token', withJson('POST', token)),
    /** @param token id of the token, or the token */
    revokeMyToken: async (token: string) => remove(`/me/token/${segment(token)}`),

    mySessions: () => json<Session[]>('/me/sessions'),
    revokeMySession: async (sessionID: string) => remove(`/me/sessions/${segment(sessionID)}`),

    myUploads: (query: UploadListing = {}) => json<Page<Upload>>(...uploadListing('/me/uploads', query)),
    /** Removes every own upload. */
    removeMyUploads: () => remove('/me/uploads'),
    myStats: () => json<UserStats>('/me/stats'),
  }
}
