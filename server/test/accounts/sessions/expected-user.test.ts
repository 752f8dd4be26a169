import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorIn, jsonIn } from '../../support/clients/send-request.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
beforeAll(async () => {
  server = await startServerWithAccounts()
})
afterAll(() => server.close())

const expecting = (id: string) => ({ 'x-svc-expected-user': encodeURIComponent(id) })
const refused = { status: 409, code: 'other_user' }

test('an upload is created only for the user that the client expects', async () => {
  const [ada, bob] = [await newMember(server), await newMember(server)]
  const create = (as: typeof ada.session | undefined, expected: string) =>
    call(server, 'POST /upload', { ...(as && { as }), headers: expecting(expected), body: {} })
  expect(jsonIn(await create(ada.session, ada.id))).toMatchObject({ user: ada.id })
  expect(errorIn(await create(bob.session, ada.id))).toEqual(refused)
  expect(errorIn(await create(undefined, ada.id))).toEqual(refused)
  expect(errorIn(await create(ada.session, 'guest'))).toEqual(refused)
  expect(jsonIn(await create(undefined, 'guest'))).not.toHaveProperty('user')
  expect(jsonIn(await call(server, 'GET /me/uploads', { as: bob.session }))).toMatchObject({ total: 0 })
})

test('an upload request is created, and an account is changed, only for the expected user', async () => {
  const [ada, bob] = [await newMember(server), await newMember(server)]
  const options = { as: bob.session, headers: expecting(ada.id) }
  const created = await call(server, 'POST /requests', { ...options, body: { title: 'Files' } })
  expect(errorIn(created)).toEqual(refused)
  expect(errorIn(await call(server, 'DELETE /me', options))).toEqual(refused)
  expect(errorIn(await call(server, 'DELETE /me/uploads', options))).toEqual(refused)
  expect((await call(server, 'GET /me', { as: bob.session })).status).toBe(200)
})

test('for an admin who acts as a user, this user is expected', async () => {
  const { id } = await newMember(server)
  const headers = { 'x-svc-impersonate': id, ...expecting(id) }
  const created = await call(server, 'POST /upload', { as: server.admin, headers, body: {} })
  expect(jsonIn(created)).toMatchObject({ user: id })
})
