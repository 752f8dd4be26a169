import type {
  DailyStats,
  DailyStatsQuery,
  NewUser,
  Page,
  ServerStats,
  Upload,
  UploadListing,
  User,
  UserListing,
  UserSearch,
  UserUpdate,
} from '@svc/contract'
import { endpointCalls } from '../http/calls.ts'
import type { Connection } from '../http/connection.ts'
import { uploadListing } from './listings.ts'

/** Users and the whole server, for admins (docs/protocol.md#administration). */
export function adminCalls(connection: Connection) {
  const { call, request } = endpointCalls(connection)
  return {
    createUser: (user: NewUser): Promise<User> => call('POST /user', { body: user }),
    user: (userID: string): Promise<User> => call('GET /user/{userID}', { params: { userID } }),
    /** Changes the given fields. Only admins may change quotas and the admin flag. */
    updateUser: (userID: string, update: UserUpdate): Promise<User> =>
      call('POST /user/{userID}', { params: { userID }, body: update }),
    removeUser: async (userID: string): Promise<void> => {
      await request('DELETE /user/{userID}', { params: { userID } })
    },

    users: (query: UserListing = {}): Promise<Page<User>> => call('GET /users', { query }),
    searchUsers: (query: UserSearch): Promise<User[]> => call('GET /users/search', { query }),
    uploads: (query: UploadListing = {}): Promise<Page<Upload>> => call('GET /uploads', uploadListing(query)),
    stats: (): Promise<ServerStats> => call('GET /stats'),
    /** One entry per day, in UTC; the last 30 days by default. */
    dailyStats: (days: DailyStatsQuery = {}): Promise<DailyStats> =>
      call('GET /stats/daily', { query: days }),
  }
}
