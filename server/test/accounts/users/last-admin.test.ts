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

let site: ServerWithAccounts
beforeEach(async () => {
  site = await startServerWithAccounts()
})
afterEach(() => site.close())

const lastAdmin = { status: 403, code: 'last_admin' }
const admins = async (as = site.admin) =>
  (
    jsonIn(await call(site, 'GET /users?admin=true', { as })) as { readonly results: readonly User[] }
  ).results.map(({ id }) => id)

test('the last admin can be neither demoted nor deleted, on any route', async () => {
  await newMember(site)
  const demotion = await call(site, 'POST /user/local:root', {
    as: site.admin,
    body: { admin: false, name: 'X' },
  })
  expect(errorIn(demotion)).toEqual(lastAdmin)
  expect(errorIn(await call(site, 'DELETE /me', { as: site.admin }))).toEqual(lastAdmin)
  const deletion = await call(site, 'DELETE /user/local:root', { as: site.admin })
  expect(errorIn(deletion)).toEqual({ status: 403, code: 'not_allowed' })
  expect(jsonIn(await call(site, 'GET /me', { as: site.admin }))).toMatchObject({ admin: true, name: '' })
})

test('a rejected deletion removes no upload', async () => {
  const { headers } = await call(site, 'PUT /a.txt', { as: site.admin, body: 'content' })
  expect(errorIn(await call(site, 'DELETE /me', { as: site.admin }))).toEqual(lastAdmin)
  expect((await call(site, `GET /upload/${String(headers['x-uploadid'])}`)).status).toBe(200)
})

test('with another admin the first can be deleted, and the other is then the last', async () => {
  const boss = await newMember(site, { admin: true })
  const demotion = await call(site, 'POST /user/local:root', { as: site.admin, body: { admin: false } })
  expect(demotion.status).toBe(200)
  expect(await admins(boss.session)).toEqual([boss.id])
  expect(errorIn(await call(site, 'DELETE /me', { as: boss.session }))).toEqual(lastAdmin)
})

test('an admin cannot delete the own account on the route for admins, even where there are others', async () => {
  await newMember(site, { admin: true })
  for (const path of ['local:root', 'local%3Aroot', '%6cocal:root']) {
    const response = await call(site, `DELETE /user/${path}`, { as: site.admin })
    expect(errorIn(response)).toEqual({ status: 403, code: 'not_allowed' })
  }
})

test('other changes of an admin do not need another admin', async () => {
  const body = { admin: true, name: 'Root', maxUserSize: 5 }
  const response = await call(site, 'POST /user/local:root', { as: site.admin, body })
  expect(jsonIn(response)).toMatchObject(body)
})

test.each(['demoting', 'deleting'] as const)('two admins %s each other at once leave one', async (what) => {
  const { config, directory, clock } = site
  const features = { feature_authentication: 'enabled' } as const
  const second = await startTestServer({
    features,
    config: { accounts: config.accounts },
    directory,
    clock,
  })
  for (let round = 0; round < 3; round++) {
    const [one, other] = [await newMember(site, { admin: true }), await newMember(site, { admin: true })]
    await call(site, 'POST /user/local:root', { as: one.session, body: { admin: false } })
    const attack = (from: typeof one, to: typeof one, at: Pick<ServerWithAccounts, 'url'>) =>
      what === 'demoting'
        ? call(at, `POST /user/${to.id}`, { as: from.session, body: { admin: false } })
        : call(at, `DELETE /user/${to.id}`, { as: from.session })
    const responses = await simultaneously([site, second], () =>
      Promise.all([attack(one, other, site), attack(other, one, second)]),
    )
    const statuses = responses.map(({ status }) => status)
    const [winner, loser] = statuses[0] === 200 ? [one, other] : [other, one]
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(await admins(winner.session)).toEqual([winner.id])
    if (what === 'demoting') expect(await admins(loser.session).catch(() => 'none')).toBe('none')
    await call(site, 'POST /user/local:root', { as: winner.session, body: { admin: true } })
    await call(site, `DELETE /user/${winner.id}`, { as: site.admin })
    if (what === 'demoting') await call(site, `DELETE /user/${loser.id}`, { as: site.admin })
  }
  await second.close()
})

test('when all admins leave at once, one stays', async () => {
  const others = await Promise.all([
    newMember(site, { admin: true }),
    newMember(site, { admin: true }),
    newMember(site, { admin: true }),
  ])
  const sessions = [site.admin, ...others.map(({ session }) => session)]
  const responses = await Promise.all(sessions.map((as) => call(site, 'DELETE /me', { as })))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 403])
  const left = sessions[responses.findIndex(({ status }) => status === 403)]
  expect(await admins(left)).toHaveLength(1)
})
