import { randomId } from '../../../src/domain/ids.ts'
import type { UserRecord } from '../../../src/domain/records.ts'

/** A local user without uploads, sessions or tokens. */
export const userRecord = (fields: Partial<UserRecord> = {}): UserRecord => {
  const login = randomId((into) => crypto.getRandomValues(into))
  return {
    id: `local:${login}`,
    provider: 'local',
    issuer: null,
    accountId: null,
    login,
    name: '',
    email: '',
    passwordHash: null,
    admin: 0,
    maxFileSize: 0,
    maxUserSize: 0,
    maxTTL: 0,
    theme: '',
    language: '',
    usedSize: 0,
    createdAt: 1_000,
    generation: 0,
    removedAt: null,
    ...fields,
  }
}
