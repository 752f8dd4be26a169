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
import type { Connection } from '../http/connection.ts'
import { uploadListing } from './listings.ts'
import { segment, withQuery } from '../core/paths.ts'
import { withJson } from '../http/fetch-transport.ts'

/** Users and the whole server, for admins (specification §4, "User management"). */
export function adminCalls({ json, remove }: Connection) {
  return {
    createUser: (user: NewUser) => json<User>('/user', withJson('POST', user)),
    user: async (userID: string) => json<User>(`/user/${segment(userID)}`),
    /** Changes what is given; quotas and the admin flag by admins only. */
    updateUser: async (userID: string, update: UserUpdate) =>
      json<User>(`/user/${segment(userID)}`, withJson('POST', update)),
    removeUser: async (userID: string) => remove(`/user/${segment(userID)}`),

    users: (query: UserListing = {}) => json<Page<User>>(withQuery('/users', query)),
    searchUsers: (query: UserSearch) => json<User[]>(withQuery('/users/search', query)),
    uploads: (query: UploadListing = {}) => json<Page<Upload>>(...uploadListing('/uploads', query)),
    stats: () => json<ServerStats>('/stats'),
    /** Each of some days, in UTC; the last 30 by default. */
    dailyStats: (days: DailyStatsQuery = {}) => json<DailyStats>(withQuery('/stats/daily', days)),
  }
}
