import * as Type from 'typebox'
import type { Static } from 'typebox'
import { limits } from '../base/limits.ts'

export const providers = ['local', 'idp1', 'idp2', 'idp3', 'oidc'] as const
export const Provider = Type.Enum([...providers], { title: 'Provider' })
export type Provider = (typeof providers)[number]

const quotas = {
  maxFileSize: Type.Integer({ minimum: -1, description: 'Bytes; 0 means the server value, -1 unlimited.' }),
  maxUserSize: Type.Integer({ minimum: -1, description: 'Bytes; 0 means the server value, -1 unlimited.' }),
  maxTTL: Type.Integer({ minimum: -1, description: 'Seconds; 0 means the server value, -1 unlimited.' }),
}

const profileText = Type.String({ maxLength: limits.profileTextLength })

const profile = { name: profileText, email: profileText, theme: profileText, language: profileText }

const password = Type.String({
  minLength: limits.userPasswordMinLength,
  maxLength: limits.userPasswordLength,
})

/** A password that is only compared. Its bound does not reveal the rules of passwords, and limits the work. */
const secret = Type.String({ maxLength: 1024 })

/** A user, without the password. */
export const User = Type.Object(
  {
    id: Type.String({
      description: '`local:LOGIN`, `idp1:EMAIL`, `idp2:LOGIN`, `idp3:CODE` or `oidc:SUBJECT`.',
    }),
    provider: Provider,
    login: Type.String(),
    ...profile,
    admin: Type.Boolean(),
    ...quotas,
    createdAt: Type.String({ format: 'date-time' }),
  },
  { title: 'User' },
)
export type User = Static<typeof User>

export const NewUser = Type.Object(
  {
    provider: Provider,
    login: Type.String({ minLength: limits.userLoginMinLength, maxLength: limits.userLoginLength }),
    password: Type.Optional(password),
    ...Type.Partial(Type.Object(profile)).properties,
    admin: Type.Optional(Type.Boolean()),
    ...Type.Partial(Type.Object(quotas)).properties,
  },
  { title: 'NewUser' },
)
export type NewUser = Static<typeof NewUser>

/** A partial update by an admin, or of the current user without quotas and the admin flag. */
export const UserUpdate = Type.Partial(
  Type.Object({ id: Type.String(), ...profile, password, admin: Type.Boolean(), ...quotas }),
  { title: 'UserUpdate' },
)
export type UserUpdate = Static<typeof UserUpdate>

const revokeTokens = Type.Boolean({ description: 'With a new password: revokes all tokens as well.' })

export const ProfileUpdate = Type.Partial(
  Type.Object({ ...profile, currentPassword: secret, password, revokeTokens }),
  { title: 'ProfileUpdate' },
)
export type ProfileUpdate = Static<typeof ProfileUpdate>

/** The scopes of a user token: upload, download, and manage the uploads of its user. */
export const tokenScopes = ['upload', 'read', 'manage'] as const
export const TokenScope = Type.Enum([...tokenScopes], { title: 'TokenScope' })
export type TokenScope = (typeof tokenScopes)[number]

/** A user token (docs/protocol.md#user-token). */
export const UserToken = Type.Object(
  {
    id: Type.String({ description: 'Identifies the token; it is not a secret.' }),
    token: Type.String({
      description:
        'The whole token in the response that creates it; elsewhere its first 9 characters and `…`.',
    }),
    comment: Type.String(),
    scopes: Type.Optional(
      Type.Array(TokenScope, { description: 'Scopes of the token. If absent, the token is not limited.' }),
    ),
    createdAt: Type.String({ format: 'date-time' }),
    expiresAt: Type.Optional(Type.String({ format: 'date-time' })),
    lastUsedAt: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { title: 'UserToken' },
)
export type UserToken = Static<typeof UserToken>

export const NewUserToken = Type.Object(
  {
    comment: Type.Optional(Type.String({ maxLength: limits.commentLength })),
    scopes: Type.Optional(
      Type.Array(TokenScope, {
        minItems: 1,
        uniqueItems: true,
        description: 'Scopes of the token. If absent, the token is not limited.',
      }),
    ),
    expiresAt: Type.Optional(
      Type.String({ description: 'RFC 3339, in the future. If absent, the token never expires.' }),
    ),
  },
  { title: 'NewUserToken' },
)
export type NewUserToken = Static<typeof NewUserToken>

/** A signed-in browser. */
export const Session = Type.Object(
  {
    id: Type.String(),
    current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
    userAgent: Type.String(),
    address: Type.String({ description: 'Network address of the sign-in.' }),
    createdAt: Type.String({ format: 'date-time' }),
    lastUsedAt: Type.String({ format: 'date-time' }),
    expireAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Session' },
)
export type Session = Static<typeof Session>

export const LocalLogin = Type.Object(
  { login: Type.String({ maxLength: limits.userLoginLength }), password: secret },
  { title: 'LocalLogin' },
)
export type LocalLogin = Static<typeof LocalLogin>
