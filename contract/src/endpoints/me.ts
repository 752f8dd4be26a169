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
  response: json(User),
  errors: userErrors,
})

export const updateMe = endpoint({
  method: 'PATCH',
  path: '/me',
  chain: 'authenticated',
  tag,
  summary: 'Change your profile',
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
  response: text,
  errors: [...userChangeErrors, 'last_admin'],
})

export const listMyTokens = endpoint({
  method: 'GET',
  path: '/me/token',
  chain: 'authenticated',
  tag,
  summary: 'List your tokens',
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
  response: text,
  errors: [...userChangeErrors, 'token_not_found'],
})

export const listMySessions = endpoint({
  method: 'GET',
  path: '/me/sessions',
  chain: 'authenticated',
  tag,
  summary: 'List your sessions, newest first',
  response: json(Type.Array(Session)),
  errors: userErrors,
})

export const revokeMySession = endpoint({
  method: 'DELETE',
  path: '/me/sessions/{sessionID}',
  chain: 'authenticated',
  tag,
  summary: 'End one of your sessions',
  response: text,
  errors: [...userChangeErrors, 'session_not_found'],
})

export const listMyUploads = endpoint({
  method: 'GET',
  path: '/me/uploads',
  chain: 'authenticated',
  tag,
  summary: 'List your uploads',
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
  response: text,
  errors: userChangeErrors,
})

export const getMyStats = endpoint({
  method: 'GET',
  path: '/me/stats',
  chain: 'authenticated',
  tag,
  summary: 'Show statistics of your uploads',
  response: json(UserStats),
  errors: userErrors,
})
