import { afterAll, beforeAll, expect, test } from 'vitest'
import { root, signIn } from '../support/clients/accounts.ts'
import { sendRequest, jsonIn } from '../support/clients/send-request.ts'
import { actors, isActor, type Actor } from './fixture/actors.ts'
import type { Block } from './tables/block.ts'
import { freshAddress } from './fixture/users.ts'
import { requestOf, type FullScene } from './requests/requests.ts'
import { openFixture, type AccessFixture } from './fixture/fixture.ts'

let fixture: AccessFixture
let scene: FullScene
const block: Block = { title: '', server: 'accounts', uploads: { of: 'owner', kinds: ['plain'] }, table: '' }
beforeAll(async () => {
  fixture = await openFixture()
  scene = await fixture.sceneOf(block, 'plain')
})
afterAll(() => fixture.close())

/** What a response shows to an actor. */
async function responseTo(label: string, actor: Actor): Promise<unknown> {
  const { path, headers, ...requestOptions } = requestOf(label, scene)
  const sent = { 'x-forwarded-for': freshAddress(), ...headers, ...actors[actor](scene) }
  return jsonIn(await sendRequest(fixture.main.url, path, { ...requestOptions, headers: sent }))
}

/** What the response shows to each of some actors. */
async function shownToAll<Part>(
  label: string,
  actorNames: readonly Actor[],
  part: (response: never) => Part,
) {
  const found: [Actor, Part][] = []
  for (const actor of actorNames) found.push([actor, part((await responseTo(label, actor)) as never)])
  return Object.fromEntries(found)
}

const allActors = Object.keys(actors).filter(isActor)
const signedIn = ['owner', 'other', 'admin', '>own', '>oth'] as const
const visitors = allActors.filter((actor) => !['gone*', 'gst>', 'oth>', 'ad*>', '>nil'].includes(actor))

test('an upload shows its owner to the owner and admins, and says that it can be managed to the owner and the token holder', async () => {
  const { id } = scene.people.owner
  const nothing = { admin: false }
  const expected = {
    ...Object.fromEntries(visitors.map((actor) => [actor, nothing])),
    holds: { admin: true },
    admin: { admin: false, user: id },
    owner: { admin: true, user: id },
    'own*': { admin: true, user: id },
    'up*': { admin: false, user: id },
    'rd*': { admin: false, user: id },
    'mg*': { admin: false, user: id },
    '>own': { admin: true, user: id },
    '-xsrf': { admin: true, user: id },
    xsite: { admin: true, user: id },
  }
  const found = await shownToAll('getUpload', visitors, ({ admin, user }: Record<string, unknown>) => ({
    admin,
    ...(user !== undefined && { user }),
  }))
  expect(found).toEqual(expected)
})

test('an upload belongs to its creator, or to the impersonated user', async () => {
  const { owner, other, admin } = scene.people
  const creators = [
    'guest',
    'holds',
    'owner',
    'own*',
    'other',
    'oth*',
    'admin',
    'adm*',
    '>own',
    '>oth',
  ] as const
  expect(await shownToAll('createUpload', creators, ({ user }: { user?: string }) => user)).toEqual({
    guest: undefined,
    holds: undefined,
    owner: owner.id,
    'own*': owner.id,
    other: other.id,
    'oth*': other.id,
    admin: admin.id,
    'adm*': admin.id,
    '>own': owner.id,
    '>oth': other.id,
  })
})

test('/me shows the user, or the impersonated user', async () => {
  const { owner, other, admin } = scene.people
  expect(
    await shownToAll('getMe', signedIn, ({ id, admin }: Record<string, unknown>) => [id, admin]),
  ).toEqual({
    owner: [owner.id, false],
    other: [other.id, false],
    admin: [admin.id, true],
    '>own': [owner.id, false],
    '>oth': [other.id, false],
  })
})

test('a profile update that requests rights grants none', async () => {
  const rights = ({ admin, maxFileSize, maxUserSize, maxTTL }: Record<string, unknown>) => [
    admin,
    maxFileSize,
    maxUserSize,
    maxTTL,
  ]
  expect(await shownToAll('updateMe rights', ['owner', '>own'], rights)).toEqual({
    owner: [false, 0, 0, 0],
    '>own': [false, 0, 0, 0],
  })
})

test('a listing of own uploads contains only those of the user, by any token', async () => {
  const owners = ({ results }: { readonly results: readonly { readonly user?: string }[] }) => [
    ...new Set(results.map(({ user }) => user)),
  ]
  const { owner, other, admin } = scene.people
  const fresh = {
    owner: [owner.id],
    other: [other.id],
    admin: [admin.id],
    '>own': [owner.id],
    '>oth': [other.id],
  }
  expect(await shownToAll('listMyUploads', signedIn, owners)).toEqual(fresh)
  const byToken = { owner: [owner.id], other: [], admin: [], '>own': [owner.id], '>oth': [] }
  expect(await shownToAll('listMyUploads by token', signedIn, owners)).toEqual(byToken)
})

test('only admins see the build information of the server', async () => {
  const seesBuild = (version: object) => 'gitFullRevision' in version || 'host' in version
  const found = await shownToAll('getVersion', allActors, seesBuild)
  const admins = allActors.filter((actor) => found[actor])
  expect(admins).toEqual(['admin', '>own', '>oth', '>adm', '>nil'])
})

test('a user who loses or regains admin rights has the change at once', async () => {
  const { admin } = scene.people
  const { headers: asRoot } = await signIn(fixture.main, root)
  const path = `/user/${encodeURIComponent(admin.id)}`
  const make = (right: boolean) =>
    sendRequest(fixture.main.url, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...asRoot },
      body: JSON.stringify({ admin: right }),
    })
  const statuses = async () => {
    const found: number[] = []
    for (const label of [
      'listUsers',
      'listUploads',
      'getStats',
      'getDailyStats',
      'getUser owner',
      'createUser',
    ]) {
      const { path: target, headers, ...requestOptions } = requestOf(label, scene)
      const sent = { ...headers, ...actors.admin(scene) }
      found.push((await sendRequest(fixture.main.url, target, { ...requestOptions, headers: sent })).status)
    }
    const impersonating = await sendRequest(fixture.main.url, '/me', { headers: actors['>own'](scene) })
    return [...found, impersonating.status]
  }
  expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200, 200])
  expect((await make(false)).status).toBe(200)
  expect(await statuses()).toEqual([403, 403, 403, 403, 403, 403, 403])
  expect((await make(true)).status).toBe(200)
  expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200, 200])
})
