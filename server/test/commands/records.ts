import { userToken } from '@svc/contract'
import { randomText } from '../../src/domain/ids.ts'
import type { TokenRecord, UserRecord } from '../../src/domain/records.ts'
import { userTokenKeys } from '../../src/domain/user-token-keys.ts'
import { userRecord as anyUser } from '../support/databases/user-records.ts'

/** A local user with an unknown password. */
export const userRecord = (login: string, fields: Partial<UserRecord> = {}): UserRecord =>
  anyUser({
    id: `local:${login}`,
    login,
    passwordHash: `$argon2id$v=19$m=19456,t=2,p=1$${'s'.repeat(22)}$${'h'.repeat(43)}`,
    ...fields,
  })

export const tokenRecord = (userId: string, fields: Partial<TokenRecord> = {}): TokenRecord => ({
  ...userTokenKeys(userToken(randomText((into) => crypto.getRandomValues(into), 30))),
  userId,
  comment: '',
  scopes: null,
  createdAt: 1_000,
  usedAt: null,
  expireAt: null,
  renewal: null,
  ...fields,
})
