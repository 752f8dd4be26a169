import * as Type from 'typebox'
import { endpoint, json, text } from './endpoint.ts'
import { pageOf, pageQuery, uploadFilters } from '../resources/page.ts'
import { UserStats } from '../resources/service/stats.ts'
import { Upload } from '../resources/upload.ts'
import { NewUserToken, ProfileUpdate, Session, User, UserToken } from '../resources/user.ts'
import { jsonErrors, userErrors, userChangeErrors } from './errors.ts'

const tag = 'Current user'

export const getMe = endpoint({
  method: 'GET',
  path: '/me',
  chain: 'authenticated',
  tag,
  summary: 'Show the current user',
  description: 'With its own limits: 0 is the limit of the server, as `/config` has it.',
  response: json(User),
  errors: userErrors,
})

export const updateMe = endpoint({
  method: 'PATCH',
  path: '/me',
  chain: 'authenticated',
  tag,
  summary: 'Change your profile',
  description:
    'Absent fields stay. A new password needs `currentPassword`, and ends all other sessions; with `revokeTokens`, all tokens as well.',
  body: json(ProfileUpdate),
  response: json(User),
  errors: [...userChangeErrors, ...jsonErrors, 'wrong_credentials', 'too_many_attempts', 'unavailable'],
})

export const removeMe = endpoint({
  method: 'DELETE',
  path: '/me',
  chain: 'authenticated',
  tag,
  summary: 'Delete your account',
  description:
    'With all uploads, upload requests, sessions and tokens. Links stop working at once. The last admin cannot be deleted.',
  response: text,
  errors: [...userChangeErrors, 'last_admin'],
})

export const listMyTokens = endpoint({
  method: 'GET',
  path: '/me/token',
  chain: 'authenticated',
  tag,
  summary: 'List your tokens',
  description:
    'Tokens are shown by their first characters. Only the response that creates a token contains all of it.',
  query: Type.Object(pageQuery),
  response: json(pageOf(UserToken)),
  errors: [...userErrors, 'invalid_request', 'invalid_cursor'],
})

export const createMyToken = endpoint({
  method: 'POST',
  path: '/me/token',
  chain: 'authenticated',
  tag,
  summary: 'Create a user token',
  description:
    'Only this response contains the whole token. Without scopes, it may do all that tokens can do for its user.',
  body: json(NewUserToken),
  bodyOptional: true,
  response: json(UserToken),
  errors: [...userChangeErrors, ...jsonErrors, 'too_many_tokens', 'no_space'],
})

export const revokeMyToken = endpoint({
  method: 'DELETE',
  path: '/me/token/{token}',
  chain: 'authenticated',
  tag,
  summary: 'Revoke a token by its id or its value',
  description: 'Requests with the token are refused from now on. Uploads that were created with it stay.',
  response: text,
  errors: [...userChangeErrors, 'token_not_found'],
})

export const listMySessions = endpoint({
  method: 'GET',
  path: '/me/sessions',
  chain: 'authenticated',
  tag,
  summary: 'List your sessions, newest first',
  description:
    'The browsers in which the account is signed in, with the address and the time of each sign-in.',
  response: json(Type.Array(Session)),
  errors: userErrors,
})

export const revokeMySession = endpoint({
  method: 'DELETE',
  path: '/me/sessions/{sessionID}',
  chain: 'authenticated',
  tag,
  summary: 'End one of your sessions',
  description: 'The next request of that browser has no user. The session of this request can be ended, too.',
  response: text,
  errors: [...userChangeErrors, 'session_not_found'],
})

export const listMyUploads = endpoint({
  method: 'GET',
  path: '/me/uploads',
  chain: 'authenticated',
  tag,
  summary: 'List your uploads',
  description:
    'Without expired and removed uploads. Filters can be combined; cursors belong to one order and one filter.',
  query: Type.Object({ ...pageQuery, ...uploadFilters }),
  response: json(pageOf(Upload)),
  errors: [...userErrors, 'invalid_request', 'invalid_cursor'],
})

export const removeMyUploads = endpoint({
  method: 'DELETE',
  path: '/me/uploads',
  chain: 'authenticated',
  tag,
  summary: 'Remove all your uploads',
  description: 'Links stop working at once. The data of many uploads is deleted in the background.',
  response: text,
  errors: userChangeErrors,
})

export const getMyStats = endpoint({
  method: 'GET',
  path: '/me/stats',
  chain: 'authenticated',
  tag,
  summary: 'Show statistics of your uploads',
  description: 'The number of uploads and files that exist, and their bytes.',
  response: json(UserStats),
  errors: userErrors,
})
