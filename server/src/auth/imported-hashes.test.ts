import { expect, test } from 'vitest'
import { schemaValidator } from '../export/schema-validator.ts'
import { schemas } from '../export/record-lines.ts'
import { argon2Hash } from './imported-hashes.ts'

const hashOf = (cost: string): string => `$argon2id$v=19$${cost}$${'s'.repeat(22)}$${'h'.repeat(43)}`

const problemInExport = (passwordHash: string): string | null =>
  schemaValidator(schemas.user)({
    id: 'local:ann',
    provider: 'local',
    issuer: null,
    login: 'ann',
    name: '',
    email: '',
    passwordHash,
    admin: 0,
    maxFileSize: 0,
    maxUserSize: 0,
    maxTTL: 0,
    theme: '',
    language: '',
    createdAt: 0,
  })

test.each([
  'm=100,t=1,p=1',
  'm=19456,t=2,p=1',
  'm=59999,t=3,p=4',
  'm=64999,t=3,p=4',
  'm=65499,t=3,p=4',
  'm=65529,t=3,p=4',
  'm=65536,t=3,p=4',
  'm=65536,t=4,p=4',
])('a hash of argon2id with %s is accepted', (cost) => {
  expect(argon2Hash(hashOf(cost))).toBe(hashOf(cost))
  expect(problemInExport(hashOf(cost))).toBeNull()
})

test.each([
  'm=99,t=1,p=1',
  'm=65537,t=3,p=4',
  'm=65540,t=3,p=4',
  'm=66000,t=3,p=4',
  'm=70000,t=3,p=4',
  'm=100000,t=3,p=4',
  'm=65536,t=5,p=4',
  'm=65536,t=10,p=4',
  'm=65536,t=0,p=4',
  'm=65536,t=3,p=5',
  'm=65536,t=3,p=0',
])('a hash of argon2id with %s is refused', (cost) => {
  expect(argon2Hash(hashOf(cost))).toBeNull()
  expect(problemInExport(hashOf(cost))).toBe('passwordHash has an invalid format')
})
