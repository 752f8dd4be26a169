import { hash } from 'node:crypto'
import { hashSync } from 'bcryptjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plikUploadHash } from '../../../src/auth/imported-hashes.ts'
import { withService } from '../../../src/composition/server.ts'
import { userRecord } from '../../commands/records.ts'
import { signIn } from '../../support/clients/accounts.ts'
import { fileRecord, uploadRecord } from '../../support/databases/records.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import {
  call,
  freshLogin,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
beforeAll(async () => {
  server = await startServerWithAccounts()
})
afterAll(() => server.close())

const quick = 4

async function userOfPlik(password: string): Promise<string> {
  const login = freshLogin()
  await withService(server.config, ({ store }) =>
    store.users.insert(userRecord(login, { passwordHash: hashSync(password, quick) })),
  )
  return login
}

describe('a user with a hash of bcrypt', () => {
  test('signs in, and the hash becomes one of argon2id', async () => {
    const login = await userOfPlik('an old password')
    await signIn(server, { login, password: 'an old password' })
    expect(lookUp(server, `select passwordHash from users where login = '${login}'`)).toEqual([
      expect.stringMatching(/^\$argon2id\$/),
    ])
    await signIn(server, { login, password: 'an old password' })
  })

  test('signs in twice at the same time', async () => {
    const login = await userOfPlik('an old password')
    const both = [1, 2].map(() => signIn(server, { login, password: 'an old password' }))
    await expect(Promise.all(both)).resolves.toHaveLength(2)
  })

  test('does not sign in with another password', async () => {
    const login = await userOfPlik('an old password')
    const body = { login, password: 'another password' }
    expect((await call(server, 'POST /auth/local/login', { body })).status).toBe(401)
  })
})

describe.each(['sha256', 'md5'] as const)('an upload with a password of Plik (%s)', (algorithm) => {
  test('opens with its login and password only', async () => {
    const digest = hash(algorithm, Buffer.from('ann:p:a ss').toString('base64'))
    const passwordHash = plikUploadHash(algorithm, hashSync(digest, quick))
    const upload = uploadRecord({ login: 'ann', passwordHash, expireAt: null })
    await withService(server.config, async ({ store }) => {
      await store.uploads.insert(upload)
      await store.files.insert(fileRecord(upload))
    })
    const statusWith = async (credentials: string) => {
      const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
      return (await call(server, `GET /upload/${upload.id}`, { headers: { authorization } })).status
    }
    expect(await statusWith('ann:p:a ss')).toBe(200)
    expect(await statusWith('ann:p:a ss ')).toBe(401)
    expect(await statusWith('plik:p:a ss')).toBe(401)
    expect(await statusWith(`ann:${digest}`)).toBe(401)
  })
})
