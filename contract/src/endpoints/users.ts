import * as Type from 'typebox'
import { endpoint, json, text } from './endpoint.ts'
import { limits } from '../base/limits.ts'
import { pageOf, pageQuery, uploadFilters } from '../resources/page.ts'
import { DailyStats, dailyStatsQuery } from '../resources/service/daily-stats.ts'
import { ServerStats } from '../resources/service/stats.ts'
import { Upload } from '../resources/upload.ts'
import { NewUser, Provider, User, UserUpdate } from '../resources/user.ts'
import { adminErrors, adminChangeErrors, jsonErrors, userErrors, userChangeErrors } from './errors.ts'

const tag = 'Administration'

const searchLimit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: limits.pageMax, default: limits.searchDefault }),
)

const userFilters = { provider: Type.Optional(Provider), admin: Type.Optional(Type.Boolean()) }

export const createUser = endpoint({
  method: 'POST',
  path: '/user',
  chain: 'admin',
  tag,
  summary: 'Create a user',
  description:
    'A local user needs a password. A user of another provider has none, and signs in there under the given login.',
  body: json(NewUser),
  response: json(User),
  errors: [...adminChangeErrors, ...jsonErrors, 'user_exists', 'unavailable', 'no_space'],
})

export const getUser = endpoint({
  method: 'GET',
  path: '/user/{userID}',
  chain: 'authenticated',
  tag,
  summary: 'Show a user',
  description: 'Admins see all users, others only themselves.',
  response: json(User),
  errors: userErrors,
})

export const updateUser = endpoint({
  method: 'POST',
  path: '/user/{userID}',
  chain: 'authenticated',
  tag,
  summary: 'Change a user; only admins can change quotas and the admin flag',
  description:
    'Absent fields stay. A password that an admin sets ends all sessions and tokens of the user. The last admin stays an admin.',
  body: json(UserUpdate),
  response: json(User),
  errors: [...userChangeErrors, ...jsonErrors, 'last_admin', 'unavailable'],
})

export const removeUser = endpoint({
  method: 'DELETE',
  path: '/user/{userID}',
  chain: 'authenticated',
  tag,
  summary: 'Delete a user',
  description:
    'With all uploads, upload requests, sessions and tokens, by an admin. Users delete their own account with `DELETE /me`. Links stop working at once. The last admin cannot be deleted.',
  response: text,
  errors: [...userChangeErrors, 'last_admin'],
})

export const getStats = endpoint({
  method: 'GET',
  path: '/stats',
  chain: 'admin',
  tag,
  summary: 'Show statistics of the server',
  description:
    'Users, uploads, files and bytes that exist now; those without an owner are also counted separately.',
  response: json(ServerStats),
  errors: adminErrors,
})

export const getDailyStats = endpoint({
  method: 'GET',
  path: '/stats/daily',
  chain: 'admin',
  tag,
  summary: 'Show daily statistics',
  description:
    'Uploads, downloads and bytes of each day of a span, with the sizes and lifetimes of what was received.',
  query: dailyStatsQuery,
  response: json(DailyStats),
  errors: [...adminErrors, 'invalid_request'],
})

export const listUsers = endpoint({
  method: 'GET',
  path: '/users',
  chain: 'admin',
  tag,
  summary: 'List all users',
  description: 'Sorted by date. Filters select users of a provider, and admins.',
  query: Type.Object({ ...pageQuery, ...userFilters }),
  response: json(pageOf(User)),
  errors: [...adminErrors, 'invalid_request', 'invalid_cursor'],
})

export const searchUsers = endpoint({
  method: 'GET',
  path: '/users/search',
  chain: 'admin',
  tag,
  summary: 'Search users by login, name or email',
  description: 'Finds parts of words, and ignores case. Sorted by login.',
  // The texts of a user are not longer.
  query: Type.Object({
    q: Type.String({ minLength: 2, maxLength: limits.profileTextLength }),
    limit: searchLimit,
    ...userFilters,
  }),
  response: json(Type.Array(User)),
  errors: [...adminErrors, 'invalid_request'],
})

export const listUploads = endpoint({
  method: 'GET',
  path: '/uploads',
  chain: 'admin',
  tag,
  summary: 'List all uploads',
  description:
    'Uploads of all users and guests, without expired and removed ones. Filters can be combined; cursors belong to one order and one filter.',
  query: Type.Object({ ...pageQuery, ...uploadFilters }),
  response: json(pageOf(Upload)),
  errors: [...adminErrors, 'invalid_request', 'invalid_cursor'],
})
