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
  response: json(User),
  errors: userErrors,
})

export const updateUser = endpoint({
  method: 'POST',
  path: '/user/{userID}',
  chain: 'authenticated',
  tag,
  summary: 'Change a user; only admins can change quotas and the admin flag',
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
  response: text,
  errors: [...userChangeErrors, 'last_admin'],
})

export const getStats = endpoint({
  method: 'GET',
  path: '/stats',
  chain: 'admin',
  tag,
  summary: 'Show statistics of the server',
  response: json(ServerStats),
  errors: adminErrors,
})

export const getDailyStats = endpoint({
  method: 'GET',
  path: '/stats/daily',
  chain: 'admin',
  tag,
  summary: 'Show daily statistics',
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
  query: Type.Object({ ...pageQuery, ...uploadFilters }),
  response: json(pageOf(Upload)),
  errors: [...adminErrors, 'invalid_request', 'invalid_cursor'],
})
