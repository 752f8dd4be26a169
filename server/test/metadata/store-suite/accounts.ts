import { expect, test } from 'vitest'
import type { CliLoginRecord, SessionRecord, TokenRecord } from '../../../src/domain/records.ts'
import type { MetadataStore } from '../../../src/metadata/store.ts'
import { uploadRecord } from '../../support/databases/records.ts'
import { userRecord } from '../../support/databases/user-records.ts'

let made = 0
const fresh = (prefix: string) => `${prefix}${String((made += 1))}`

const session = (userId: string, fields: Partial<SessionRecord> = {}): SessionRecord => ({
  id: fresh('session'),
  userId,
  userAgent: 'Zoë’s 🗿',
  address: '2001:db8::ffff',
  createdAt: 1_000,
  usedAt: 1_000,
  expireAt: 9_000,
  ...fields,
})
const token = (userId: string, fields: Partial<TokenRecord> = {}): TokenRecord => ({
  id: fresh('token'),
  tokenHash: 'x'.repeat(43),
  prefix: 'svct_abcd',
  userId,
  comment: '',
  scopes: null,
  createdAt: 1_000,
  usedAt: null,
  expireAt: null,
  renewal: null,
  ...fields,
})
const cliLogin = (fields: Partial<CliLoginRecord> = {}): CliLoginRecord => ({
  code: fresh('C-'),
  secretHash: 'x'.repeat(43),
  hostname: 'h',
  address: '2001:db8::ffff',
  comment: '',
  userId: null,
  createdAt: 1_000,
  expireAt: 9_000,
  ...fields,
})
const times = <Result>(count: number, work: (at: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))

/** Users and their records. */
export function accountsSuite(store: () => MetadataStore): void {
  const newUser = async (fields = {}) => {
    const user = userRecord(fields)
    await store().users.insert(user)
    return user
  }

  test('users are stored unchanged, and updates change only the given fields', async () => {
    const user = await newUser({
      name: 'Zoë 🗿',
      issuer: 'https://issuer.test',
      accountId: '4711',
      maxUserSize: Number.MAX_SAFE_INTEGER,
      maxTTL: -1,
      usedSize: 5_000_000_000_001,
    })
    expect(await store().users.find(user.id)).toEqual(user)
    expect(await store().users.update(user.id, { name: 'New', admin: 1, passwordHash: 'h' })).toBe(true)
    expect(await store().users.find(user.id)).toEqual({ ...user, name: 'New', admin: 1, passwordHash: 'h' })
    expect(await store().users.update('local:nobody', { name: 'New' })).toBe(false)
  })

  test('ids that differ in case or in a space are different users', async () => {
    const login = fresh('Case')
    const ids = [login, login.toUpperCase(), `${login} `, `${login}é`, `${login}e`].map(
      (text) => `local:${text}`,
    )
    for (const id of ids) await newUser({ id })
    expect(await times(ids.length, async (at) => (await store().users.find(ids[at] ?? ''))?.id)).toEqual(ids)
  })

  test('an update to equal values counts as an update of the user', async () => {
    const user = await newUser({ name: 'Same' })
    expect(await store().users.update(user.id, { name: 'Same' })).toBe(true)
  })

  test('the records of a user are removed with the user; uploads lose their owner', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const [mine, stored] = [session(user.id), session(other.id)]
    const [myToken, keptToken] = [token(user.id), token(other.id)]
    const login = cliLogin({ userId: user.id })
    const upload = uploadRecord({ userId: user.id })
    for (const row of [mine, stored]) await store().sessions.insert(row)
    for (const row of [myToken, keptToken]) await store().tokens.insert(row)
    await store().cliLogins.insert(login)
    await store().uploads.insert(upload)
    expect([await store().users.remove(user.id), await store().users.remove(user.id)]).toEqual([true, false])
    expect(await store().sessions.findUser(mine.id)).toBeUndefined()
    expect(await store().tokens.findUser(myToken.id)).toBeUndefined()
    expect(await store().cliLogins.find(login.code)).toBeUndefined()
    expect(await store().uploads.find(upload.id)).toMatchObject({ userId: null })
    expect((await store().sessions.findUser(stored.id))?.id).toBe(other.id)
    expect((await store().tokens.findUser(keptToken.id))?.id).toBe(other.id)
  })

  test('sessions are found with their user, listed newest first, and ended one by one or all but one', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const rows = [1, 2, 3].map((createdAt) => session(user.id, { createdAt, usedAt: 5, expireAt: 6 }))
    const foreign = session(other.id)
    for (const row of [...rows, foreign]) await store().sessions.insert(row)
    const [first, second, third] = rows.map(({ id }) => id) as [string, string, string]
    expect(await store().sessions.findUser(first)).toEqual({ ...user, sessionUsedAt: 5, sessionExpireAt: 6 })
    expect(await store().sessions.list(user.id, 10)).toEqual(rows.toReversed())
    expect(await store().sessions.removeOf(other.id, first)).toBe(false)
    expect(await store().sessions.removeOf(user.id, first)).toBe(true)
    expect(await store().sessions.removeOf(user.id, first)).toBe(false)
    await store().sessions.removeOthers(user.id, third)
    expect((await store().sessions.list(user.id, 10)).map(({ id }) => id)).toEqual([third])
    expect(await store().sessions.findUser(second)).toBeUndefined()
    await store().sessions.removeOthers(user.id, null)
    expect(await store().sessions.list(user.id, 10)).toEqual([])
    expect(await store().sessions.list(other.id, 10)).toEqual([foreign])
  })

  test('the newest sessions of a user are listed and kept', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const rows = [1, 2, 3, 4].map((createdAt) => session(user.id, { createdAt }))
    const foreign = session(other.id, { createdAt: 0 })
    for (const row of [...rows, foreign]) await store().sessions.insert(row)
    expect(await store().sessions.list(user.id, 2)).toEqual(rows.slice(2).toReversed())
    await store().sessions.removeOldest(user.id, 4)
    expect(await store().sessions.list(user.id, 10)).toHaveLength(4)
    await store().transaction((transaction) => transaction.sessions.removeOldest(user.id, 1))
    expect(await store().sessions.list(user.id, 10)).toEqual(rows.slice(3))
    expect(await store().sessions.list(other.id, 10)).toEqual([foreign])
  })

  test('tokens of a user are counted, and expired ones are removed', async () => {
    const [user, other] = [await newUser(), await newUser()]
    for (const expireAt of [null, 700, 701]) await store().tokens.insert(token(user.id, { expireAt }))
    await store().tokens.insert(token(other.id, { expireAt: 700 }))
    expect(await store().tokens.count(user.id)).toBe(3)
    await store().tokens.removeExpired(user.id, 700)
    expect([await store().tokens.count(user.id), await store().tokens.count(other.id)]).toEqual([2, 1])
  })

  test('sessions and command-line logins expire at their time, not before', async () => {
    const user = await newUser()
    const [over, living] = [session(user.id, { expireAt: 700 }), session(user.id, { expireAt: 701 })]
    const [late, early] = [cliLogin({ expireAt: 700 }), cliLogin({ expireAt: 701 })]
    for (const row of [over, living]) await store().sessions.insert(row)
    for (const row of [late, early]) await store().cliLogins.insert(row)
    await store().sessions.removeExpired(700)
    await store().cliLogins.removeExpired(700)
    expect((await store().sessions.list(user.id, 10)).map(({ id }) => id)).toEqual([living.id])
    expect([await store().cliLogins.find(late.code), await store().cliLogins.find(early.code)]).toEqual([
      undefined,
      early,
    ])
  })

  test('tokens are found with their user, case-sensitively, and revoked by their user only', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const row = token(user.id, { id: fresh('tokenAb'), scopes: 'read', expireAt: 5, renewal: 7 })
    await store().tokens.insert(row)
    expect(await store().tokens.findUser(row.id)).toEqual({
      ...user,
      tokenHash: row.tokenHash,
      tokenScopes: 'read',
      tokenUsedAt: null,
      tokenExpireAt: 5,
      tokenRenewal: 7,
    })
    expect(await store().tokens.findUser(row.id.toLowerCase())).toBeUndefined()
    await store().tokens.setLastUsed(row.id, 77)
    const page = () => store().tokens.page(user.id, { limit: 5, order: 'asc' })
    expect((await page()).results).toEqual([{ ...row, usedAt: 77 }])
    await store().tokens.setLastUsed(row.id, 78, 85)
    expect((await page()).results).toEqual([{ ...row, usedAt: 78, expireAt: 85 }])
    expect(await store().tokens.remove(other.id, row.id)).toBe(false)
    expect(await store().tokens.remove(user.id, row.id)).toBe(true)
    expect(await store().tokens.findUser(row.id)).toBeUndefined()
  })

  test('all tokens and unfetched approvals of a user are revoked, and no others', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const [mine, more, stored] = [token(user.id), token(user.id), token(other.id)]
    const [approved, theirs, open] = [
      cliLogin({ userId: user.id }),
      cliLogin({ userId: other.id }),
      cliLogin(),
    ]
    for (const row of [mine, more, stored]) await store().tokens.insert(row)
    for (const row of [approved, theirs, open]) await store().cliLogins.insert(row)
    await store().tokens.removeAll(user.id)
    await store().cliLogins.removeApproved(user.id)
    for (const row of [mine, more]) expect(await store().tokens.findUser(row.id)).toBeUndefined()
    expect((await store().tokens.findUser(stored.id))?.id).toBe(other.id)
    expect(await store().cliLogins.find(approved.code)).toBeUndefined()
    expect(await store().cliLogins.find(theirs.code)).toEqual(theirs)
    expect(await store().cliLogins.find(open.code)).toEqual(open)
  })

  test('of parallel approvals or consumptions of a command-line login exactly one succeeds', async () => {
    const users = await times(5, () => newUser())
    const { code } = cliLogin()
    await store().cliLogins.insert(cliLogin({ code }))
    expect(await store().cliLogins.consume(code)).toBe(false)
    expect(await store().cliLogins.approve(code, users[0]?.id ?? '', 'c', 9_000)).toBe(false)
    const approved = await times(5, (at) => store().cliLogins.approve(code, users[at]?.id ?? '', 'c', 8_999))
    expect(approved.filter(Boolean)).toHaveLength(1)
    expect((await store().cliLogins.find(code))?.userId).toBe(users[approved.indexOf(true)]?.id)
    expect((await times(10, () => store().cliLogins.consume(code))).filter(Boolean)).toHaveLength(1)
  })

  test('parallel reservations never exceed the maximum', async () => {
    const user = await newUser({ usedSize: 10 })
    const won = await times(20, () => store().users.addUsageWithin(user.id, 30, 100))
    expect(won.filter(Boolean)).toHaveLength(3)
    expect(await store().users.addUsageWithin(user.id, 0, 100)).toBe(true)
    await store().users.addUsage(user.id, -50)
    expect([
      await store().users.addUsageWithin(user.id, 51, 100),
      await store().users.addUsageWithin(user.id, 50, 100),
    ]).toEqual([false, true])
    expect((await store().users.find(user.id))?.usedSize).toBe(100)
  })

  test('two transactions that each remove an admin leave one', async () => {
    for (const { id } of (await store().users.page({ admin: true }, { limit: 500, order: 'asc' })).results) {
      await store().users.update(id, { admin: 0 })
    }
    const admins = await times(3, () => newUser({ admin: 1 }))
    const taken = await times(3, (at) =>
      store().transaction(async (transaction) => {
        if ((await transaction.users.lockAdmins()) === 1) return false
        return transaction.users.update(admins[at]?.id ?? '', { admin: 0 })
      }),
    )
    expect(taken.filter(Boolean)).toHaveLength(2)
    expect((await store().users.page({ admin: true }, { limit: 5, order: 'asc' })).total).toBe(1)
  })

  test('processes that set a value at once agree on one', async () => {
    const key = fresh('key')
    const values = await times(5, (at) => store().settings.findOrInsert(key, `value ${String(at)}`))
    expect(new Set(values).size).toBe(1)
    expect(await store().settings.find(key)).toBe(values[0])
  })
}
