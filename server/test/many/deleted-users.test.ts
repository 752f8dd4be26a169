import type { CliLoginStart } from '@svc/contract'
import { expect, test } from 'vitest'
import { createUserToken } from '../support/accounts.ts'
import { ask, jsonIn, refusalIn, type Answered } from '../support/ask.ts'
import type { Beside } from '../support/beside.ts'
import { rawConnection, requestHead } from '../support/raw-connection.ts'
import { describeTogether, type Meeting } from '../support/together.ts'
import { storedFiles } from '../support/storage.ts'
import { until } from '../support/until.ts'
import { call, join, type Member, type Site } from '../accounts/site.ts'

const roundTrips = 5

describeTogether('a user who is deleted on another server', (meet) => {
  /** Asks while somebody else has deleted the user, but not ended the transaction. */
  async function askDuring(
    { kind }: Meeting,
    database: Beside,
    site: Site,
    { id }: Member,
    question: () => Promise<Answered>,
  ): Promise<Answered> {
    await database.ask(kind === 'sqlite3' ? 'begin immediate' : 'begin')
    await database.ask(`delete from users where id = '${id}'`)
    const answer = question()
    if (kind === 'sqlite3') for (let trip = 0; trip < roundTrips; trip++) await ask(site.url, '/health')
    else
      await until('the request waits for the end of the deletion', async () => (await database.blocked()) > 0)
    await database.ask('commit')
    return answer
  }

  const refused = { status: 403, code: 'invalid_session' }

  test.each<[string, (site: Site, member: Member) => Promise<() => Promise<Answered>>]>([
    [
      'an upload is created',
      (site, { session }) => Promise.resolve(() => call(site, 'POST /upload', { as: session, body: {} })),
    ],
    [
      'an upload is created with files',
      (site, { session }) =>
        Promise.resolve(() =>
          call(site, 'POST /upload', { as: session, body: { files: [{ fileName: 'a' }] } }),
        ),
    ],
    [
      'a token is made',
      (site, { session }) => Promise.resolve(() => call(site, 'POST /me/token', { as: session, body: {} })),
    ],
    [
      'a command-line login is approved',
      async (site, { session }) => {
        const { code } = jsonIn(await call(site, 'POST /auth/cli/init', { body: {} })) as CliLoginStart
        return () => call(site, 'POST /auth/cli/approve', { as: session, body: { code } })
      },
    ],
  ])('is told so while %s', async (_what, prepare) => {
    const meeting = await meet()
    const site = await meeting.start()
    const member = await join(site)
    const question = await prepare(site, member)
    const answer = await askDuring(meeting, await meeting.beside(), site, member, question)
    expect(refusalIn(answer)).toEqual(refused)
  })

  test('leaves no upload that was begun with a token at the same moment', async () => {
    const meeting = await meet()
    const site = await meeting.start()
    const member = await join(site)
    const token = await createUserToken(site, member.session)
    const quick = () =>
      ask(site.url, '/a.txt', { method: 'PUT', headers: { 'x-svctoken': token }, body: 'content' })
    const answer = await askDuring(meeting, await meeting.beside(), site, member, quick)
    expect(answer.status).toBe(403)
  })

  test('takes an upload along that comes between the last look and the deletion', async () => {
    const meeting = await meet()
    const [site, other] = [await meeting.start(), await meeting.start()]
    const member = await join(site)
    const database = await meeting.beside()
    await database.ask(meeting.kind === 'sqlite3' ? 'begin immediate' : 'begin')
    await database.ask(insertUpload(member.id))
    const deletion = call(other, `DELETE /user/${encodeURIComponent(member.id)}`, { as: other.admin })
    if (meeting.kind === 'sqlite3')
      for (let trip = 0; trip < roundTrips; trip++) await ask(other.url, '/health')
    else await until('the deletion waits', async () => (await database.blocked()) > 0)
    await database.ask('commit')
    expect((await deletion).status).toBe(200)
    expect(await database.ask('select 1 from uploads where "deletedAt" is null')).toEqual([])
  })

  test('loses a file that is arriving, and its uploader is told', async () => {
    const meeting = await meet()
    const [site, other] = [await meeting.start(), await meeting.start()]
    const member = await join(site)
    const connection = await rawConnection(site.url)
    const headers = { ...member.session.headers, 'content-length': 2_000 }
    await connection.send(requestHead('PUT', '/arriving.bin', headers))
    await connection.send('x'.repeat(1_000))
    const database = await meeting.beside()
    await until('the file arrives', async () => (await database.ask('select 1 from files')).length === 1)
    const deletion = await call(other, `DELETE /user/${encodeURIComponent(member.id)}`, { as: other.admin })
    expect(deletion.status).toBe(200)
    await connection.send('x'.repeat(1_000))
    expect((await connection.answer()).status).toBe(404)
    await other.clean()
    await other.clean()
    expect(storedFiles(meeting)).toEqual([])
    expect(await database.ask('select status from files')).toEqual([{ status: 'deleted' }])
  })
})

/** An upload as another server writes it. */
const insertUpload = (userId: string) => `
  insert into uploads ("id", "tokenHash", "ttl", "extendTtl", "oneShot", "removable", "stream", "comments", "e2ee",
    "address", "fileCount", "createdAt", "userId")
  values ('upload0123456789', '', -1, 0, 0, 0, 0, '', '', '', 0, 0, '${userId}')`
