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
import { endpointCalls } from '../http/calls.ts'
import type { Connection } from '../http/connection.ts'
import { uploadListing } from './listings.ts'

/** The account of the caller (docs/protocol.md#current-user). */
export function accountCalls(connection: Connection) {
  const { call, request } = endpointCalls(connection)
  return {
    /** The current user; while an admin acts as another, that one. */
    me: (): Promise<User> => call('GET /me'),
    updateMe: (profile: ProfileUpdate): Promise<User> => call('PATCH /me', { body: profile }),
    removeMe: async (): Promise<void> => {
      await request('DELETE /me')
    },

    myTokens: (query: TokenListing = {}): Promise<Page<UserToken>> => call('GET /me/token', { query }),
    /** Only this response has the whole token. */
    createMyToken: (token: NewUserToken = {}): Promise<UserToken> => call('POST /me/token', { body: token }),
    /** @param token id of the token, or the token */
    revokeMyToken: async (token: string): Promise<void> => {
      await request('DELETE /me/token/{token}', { params: { token } })
    },

    mySessions: (): Promise<Session[]> => call('GET /me/sessions'),
    revokeMySession: async (sessionID: string): Promise<void> => {
      await request('DELETE /me/sessions/{sessionID}', { params: { sessionID } })
    },

    myUploads: (query: UploadListing = {}): Promise<Page<Upload>> =>
      call('GET /me/uploads', uploadListing(query)),
    /** Removes all uploads of the user. */
    removeMyUploads: async (): Promise<void> => {
      await request('DELETE /me/uploads')
    },
    myStats: (): Promise<UserStats> => call('GET /me/stats'),
  }
}
