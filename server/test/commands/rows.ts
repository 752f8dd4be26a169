import { userToken } from '@svc/contract'
import { randomText } from '../../src/domain/ids.ts'
import type { TokenRecord, UserRecord } from '../../src/domain/records.ts'

/** A local user who may do what the server lets everybody do. */
export const userRecord = (login: string, given: Partial<UserRecord> = {}): UserRecord => ({
  id: `local:${login}`,
  provider: 'local',
  issuer: null,
  login,
  name: '',
  email: '',
  passwordHash: `$argon2id$v=19$m=19456,t=2,p=1$${'s'.repeat(22)}$${'h'.repeat(43)}`,
  admin: 0,
  maxFileSize: 0,
  maxUserSize: 0,
  maxTTL: 0,
  theme: '',
  language: '',
  usedSize: 0,
  createdAt: 1_000,
  ...given,
})

export const tokenRecord = (userId: string, given: Partial<TokenRecord> = {}): TokenRecord => ({
  token: userToken(randomText((into) => crypto.getRandomValues(into), 30)),
  userId,
  comment: '',
  createdAt: 1_000,
  usedAt: null,
  expireAt: null,
  ...given,
})
