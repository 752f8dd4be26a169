import { limits, type Upload } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, newOwner } from '../../requests/caller.ts'
import { lookUp } from '../../support/servers/server-data.ts'
import { sendRequest } from '../../support/clients/send-request.ts'
import {
  call,
  startServerWithAccounts,
  type Member,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
beforeAll(async () => {
  server = await startServerWithAccounts()
})
afterAll(() => server.close())

const day = 86_400_000
let made = 0
const newAlias = () => `holiday-${String((made += 1))}`

/** The upload to whose page a link leads; undefined if it leads to none. */
async function targetOf(alias: string): Promise<string | undefined> {
  const { status, text } = await sendRequest(server.url, `/s/${alias}`)
  return status === 200 ? /#\/\?id=(\w{16})"/.exec(text)?.[1] : undefined
}

test('an upload has the alias that its owner chose, for the owner only', async () => {
  const { client } = await newOwner(server)
  const alias = newAlias()
  const upload = await client.createUpload({ alias })
  expect(upload.alias).toBe(alias)
  expect(await targetOf(alias)).toBe(upload.id)
  expect(await targetOf(alias.toUpperCase())).toBe(upload.id)
  expect((await client.upload(upload.id)).alias).toBe(alias)
  const { uploadToken } = upload
  for (const access of [{}, { uploadToken }])
    expect(await server.client.upload(upload.id, access)).not.toHaveProperty('alias')
})

test('an alias is in place of the id for programs, too', async () => {
  const { client } = await newOwner(server)
  const alias = newAlias()
  const { id, uploadToken } = await client.createUpload({ alias })
  await client.addFile(id, new Blob(['content']), { fileName: 'a.txt', uploadToken })
  const found = await server.client.upload(alias)
  expect([found.id, found.files.length]).toEqual([id, 1])
  expect((await sendRequest(server.url, `/archive/${alias}/all.zip`)).status).toBe(200)
})

test('the preview of a link has its alias, and its page the id', async () => {
  const { client } = await newOwner(server)
  const alias = newAlias()
  const { id } = await client.createUpload({ alias })
  const { text } = await sendRequest(server.url, `/s/${alias}`)
  expect(text).toContain(`content="${server.url}/s/${alias}"`)
  expect(text).toContain(`href="/#/?id=${id}"`)
})

test('a taken alias is refused without saying whose it is, and no upload is created', async () => {
  const [one, other] = [await newOwner(server), await newOwner(server)]
  const alias = newAlias()
  const upload = await one.client.createUpload({ alias })
  const uploads = () => lookUp(server, 'select count(*) from uploads')
  const before = uploads()
  for (const { client } of [one, other]) {
    await expect(client.createUpload({ alias })).rejects.toMatchObject({
      code: 'alias_taken',
      status: 409,
      message: 'this alias is taken: choose another one',
    })
  }
  expect(uploads()).toEqual(before)
  expect(await targetOf(alias)).toBe(upload.id)
})

test.for(['ab', 'Holiday', 'x'.repeat(65), 'a b', 'admin', 'abcdefghijklmnop', ''])(
  'the alias %j is refused',
  async (alias) => {
    const { client } = await newOwner(server)
    expect(await codeOf(client.createUpload({ alias }))).toBe('invalid_alias')
    const { id } = await client.createUpload()
    expect(await codeOf(client.changeUpload(id, { alias }))).toBe('invalid_alias')
  },
)

test('guests have no aliases', async () => {
  expect(await codeOf(server.client.createUpload({ alias: newAlias() }))).toBe('login_required')
  const { id, uploadToken } = await server.client.createUpload()
  expect(await codeOf(server.client.changeUpload(id, { alias: newAlias() }, { uploadToken }))).toBe(
    'not_allowed',
  )
})

test('a changed alias leads nowhere, and only its upload can take it again', async () => {
  const { client } = await newOwner(server)
  const [first, second] = [newAlias(), newAlias()]
  const { id } = await client.createUpload({ alias: first })
  expect((await client.changeUpload(id, { alias: second })).alias).toBe(second)
  expect([await targetOf(first), await targetOf(second)]).toEqual([undefined, id])
  expect(await codeOf(client.createUpload({ alias: first }))).toBe('alias_taken')
  expect((await client.changeUpload(id, { alias: first })).alias).toBe(first)
  expect([await targetOf(first), await targetOf(second)]).toEqual([id, undefined])
  expect(await client.changeUpload(id, { alias: null })).not.toHaveProperty('alias')
  expect(await targetOf(first)).toBe(undefined)
})

test('an upload cannot reserve many aliases', async () => {
  const { client } = await newOwner(server)
  const aliases = Array.from({ length: limits.aliasesPerUpload }, newAlias)
  const { id } = await client.createUpload()
  for (const alias of aliases) await client.changeUpload(id, { alias })
  await expect(client.changeUpload(id, { alias: newAlias() })).rejects.toMatchObject({
    status: 403,
    code: 'not_allowed',
    message: 'you are not allowed to choose another alias: an upload has at most 5 within 30 days',
  })
  for (const alias of aliases) expect((await client.changeUpload(id, { alias })).alias).toBe(alias)
  const other = await client.createUpload({ alias: newAlias() })
  const changes = Array.from({ length: 20 }, () =>
    codeOf(client.changeUpload(other.id, { alias: newAlias() })),
  )
  const results = await Promise.all(changes)
  expect(results.filter((code) => code === 'not_allowed')).toHaveLength(20 - limits.aliasesPerUpload + 1)
})

test('an empty change changes nothing', async () => {
  const { client } = await newOwner(server)
  const alias = newAlias()
  const { id } = await client.createUpload({ alias })
  expect((await client.changeUpload(id, {})).alias).toBe(alias)
})

test('changes of the alias use the budget of uploads', async () => {
  const { budgets } = server.config
  const own = await startServerWithAccounts({ config: { budgets: { ...budgets, uploads: 2 } } })
  try {
    const { client } = await newOwner(own)
    const { id } = await client.createUpload()
    await client.changeUpload(id, { alias: newAlias() })
    expect(await codeOf(client.changeUpload(id, { alias: newAlias() }))).toBe('budget_reached')
  } finally {
    await own.close()
  }
})

type End = (on: ServerWithAccounts, upload: Upload, member: Member) => Promise<unknown>

const ends: Readonly<Record<string, End>> = {
  removed: (on, { id }, { session }) => call(on, `DELETE /upload/${id}`, { as: session }),
  // The clock advances after all have ended.
  expired: () => Promise.resolve(),
  'gone with its account': (on, _upload, { session }) => call(on, 'DELETE /me', { as: session }),
}

test('the alias of an upload that was removed, has expired, or is gone with its account is reserved for 30 days', async () => {
  const own = await startServerWithAccounts()
  try {
    const stranger = await newOwner(own)
    const uploads: Upload[] = []
    for (const end of Object.values(ends)) {
      const owner = await newOwner(own)
      const upload = await owner.client.createUpload({ alias: newAlias(), ttl: 3_600 })
      uploads.push(upload)
      await end(own, upload, owner.member)
    }
    own.clock.advance(2 * 3_600_000)
    const aliases = uploads.map(({ alias = '' }) => alias)
    const wanted = (alias: string) => stranger.client.createUpload({ alias })
    const refusals = () => Promise.all(aliases.map((alias) => codeOf(wanted(alias))))
    const taken = aliases.map(() => 'alias_taken')
    for (const { id } of uploads) expect(await codeOf(own.client.upload(id))).toBe('upload_not_found')
    expect(await refusals()).toEqual(taken)
    // The second deletes the rows that the first has blanked.
    for (let round = 0; round < 2; round += 1) await own.clean()
    own.clock.advance((limits.aliasHoldDays - 1) * day)
    await own.clean()
    expect(await refusals()).toEqual(taken)
    own.clock.advance(day)
    for (const alias of aliases) expect((await wanted(alias)).alias).toBe(alias)
  } finally {
    await own.close()
  }
})
