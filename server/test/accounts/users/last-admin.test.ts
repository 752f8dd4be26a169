import type { User } from '@svc/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { startTestServer } from '../../support/servers/test-server.ts'
import { simultaneously } from '../../support/databases/sqlite-writes.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
beforeEach(async () => {
  server = await startServerWithAccounts()
})
afterEach(() => server.close())

const lastAdmin = { status: 403, code: 'last_admin' }
const admins = async (as = server.admin) =>
  (
    jsonIn(await call(server, 'GET /users?admin=true', { as })) as { readonly results: readonly User[] }
  ).results.map(({ id }) => id)

test('the last admin can be neither demoted nor deleted, on any route', async () => {
  await newMember(server)
  const demotion = await call(server, 'POST /user/local:root', {
    as: server.admin,
    body: { admin: false, name: 'X' },
  })
  expect(errorIn(demotion)).toEqual(lastAdmin)
  expect(errorIn(await call(server, 'DELETE /me', { as: server.admin }))).toEqual(lastAdmin)
  const deletion = await call(server, 'DELETE /user/local:root', { as: server.admin })
  expect(errorIn(deletion)).toEqual({ status: 403, code: 'not_allowed' })
  expect(jsonIn(await call(server, 'GET /me', { as: server.admin }))).toMatchObject({ admin: true, name: '' })
})

test('a rejected deletion removes no upload', async () => {
  const { headers } = await call(server, 'PUT /a.txt', { as: server.admin, body: 'content' })
  expect(errorIn(await call(server, 'DELETE /me', { as: server.admin }))).toEqual(lastAdmin)
  expect((await call(server, `GET /upload/${String(headers['x-uploadid'])}`)).status).toBe(200)
})

test('with another admin the first can be deleted, and the other is then the last', async () => {
  const boss = await newMember(server, { admin: true })
  const demotion = await call(server, 'POST /user/local:root', { as: server.admin, body: { admin: false } })
  expect(demotion.status).toBe(200)
  expect(await admins(boss.session)).toEqual([boss.id])
  expect(errorIn(await call(server, 'DELETE /me', { as: boss.session }))).toEqual(lastAdmin)
})

test('an admin cannot delete the own account on the route for admins, even where there are others', async () => {
  await newMember(server, { admin: true })
  for (const path of ['local:root', 'local%3Aroot', '%6cocal:root']) {
    const response = await call(server, `DELETE /user/${path}`, { as: server.admin })
    expect(errorIn(response)).toEqual({ status: 403, code: 'not_allowed' })
  }
})

test('other changes of an admin do not need another admin', async () => {
  const body = { admin: true, name: 'Root', maxUserSize: 5 }
  const response = await call(server, 'POST /user/local:root', { as: server.admin, body })
  expect(jsonIn(response)).toMatchObject(body)
})

test.each(['demoting', 'deleting'] as const)('two admins %s each other at once leave one', async (what) => {
  const { config, directory, clock } = server
  const features = { feature_authentication: 'enabled' } as const
  const second = await startTestServer({
    features,
    config: { accounts: config.accounts },
    directory,
    clock,
  })
  for (let round = 0; round < 3; round++) {
    const [one, other] = [await newMember(server, { admin: true }), await newMember(server, { admin: true })]
    await call(server, 'POST /user/local:root', { as: one.session, body: { admin: false } })
    const attack = (from: typeof one, to: typeof one, at: Pick<ServerWithAccounts, 'url'>) =>
      what === 'demoting'
        ? call(at, `POST /user/${to.id}`, { as: from.session, body: { admin: false } })
        : call(at, `DELETE /user/${to.id}`, { as: from.session })
    const responses = await simultaneously([server, second], () =>
      Promise.all([attack(one, other, server), attack(other, one, second)]),
    )
    const statuses = responses.map(({ status }) => status)
    const [winner, loser] = statuses[0] === 200 ? [one, other] : [other, one]
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(await admins(winner.session)).toEqual([winner.id])
    if (what === 'demoting') expect(await admins(loser.session).catch(() => 'none')).toBe('none')
    await call(server, 'POST /user/local:root', { as: winner.session, body: { admin: true } })
    await call(server, `DELETE /user/${winner.id}`, { as: server.admin })
    if (what === 'demoting') await call(server, `DELETE /user/${loser.id}`, { as: server.admin })
  }
  await second.close()
})

test('when all admins leave at once, one stays', async () => {
  const others = await Promise.all([
    newMember(server, { admin: true }),
    newMember(server, { admin: true }),
    newMember(server, { admin: true }),
  ])
  const sessions = [server.admin, ...others.map(({ session }) => session)]
  const responses = await Promise.all(sessions.map((as) => call(server, 'DELETE /me', { as })))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 403])
  const left = sessions[responses.findIndex(({ status }) => status === 403)]
  expect(await admins(left)).toHaveLength(1)
})
