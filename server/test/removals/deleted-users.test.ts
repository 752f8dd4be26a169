import type { CliLoginStart } from '@svc/contract'
import { expect, test } from 'vitest'
import { createUserToken } from '../support/clients/accounts.ts'
import { sendRequest, jsonIn, errorIn, type TestResponse } from '../support/clients/send-request.ts'
import type { DirectConnection } from '../support/databases/direct-connection.ts'
import { rawConnection, requestHead } from '../support/clients/raw-connection.ts'
import { describeCluster, type Cluster } from '../support/servers/cluster.ts'
import { storedFiles } from '../support/servers/server-data.ts'
import { until } from '../support/until.ts'
import {
  call,
  newMember,
  type Member,
  type ServerWithAccounts,
} from '../support/servers/server-with-accounts.ts'

const roundTrips = 5

describeCluster('a user who is deleted on another server', (newCluster) => {
  /** Sends a request while another transaction has deleted the user, and has not ended. */
  async function sendDuring(
    { kind }: Cluster,
    database: DirectConnection,
    server: ServerWithAccounts,
    { id }: Member,
    question: () => Promise<TestResponse>,
  ): Promise<TestResponse> {
    await database.query(kind === 'sqlite3' ? 'begin immediate' : 'begin')
    await database.query(`delete from users where id = '${id}'`)
    const response = question()
    if (kind === 'sqlite3')
      for (let trip = 0; trip < roundTrips; trip++) await sendRequest(server.url, '/health')
    else
      await until('the request waits for the end of the deletion', async () => (await database.waiting()) > 0)
    await database.query('commit')
    return response
  }

  const refused = { status: 403, code: 'invalid_session' }

  test.each<[string, (server: ServerWithAccounts, member: Member) => Promise<() => Promise<TestResponse>>]>([
    [
      'an upload is created',
      (server, { session }) => Promise.resolve(() => call(server, 'POST /upload', { as: session, body: {} })),
    ],
    [
      'an upload is created with files',
      (server, { session }) =>
        Promise.resolve(() =>
          call(server, 'POST /upload', { as: session, body: { files: [{ fileName: 'a' }] } }),
        ),
    ],
    [
      'a token is made',
      (server, { session }) =>
        Promise.resolve(() => call(server, 'POST /me/token', { as: session, body: {} })),
    ],
    [
      'a command-line login is approved',
      async (server, { session }) => {
        const { code } = jsonIn(await call(server, 'POST /auth/cli/init', { body: {} })) as CliLoginStart
        return () => call(server, 'POST /auth/cli/approve', { as: session, body: { code } })
      },
    ],
  ])('gets an error while %s', async (_what, prepare) => {
    const cluster = await newCluster()
    const server = await cluster.start()
    const member = await newMember(server)
    const question = await prepare(server, member)
    const response = await sendDuring(cluster, await cluster.connect(), server, member, question)
    expect(errorIn(response)).toEqual(refused)
  })

  test('leaves no upload that was begun with a token at the same moment', async () => {
    const cluster = await newCluster()
    const server = await cluster.start()
    const member = await newMember(server)
    const token = await createUserToken(server, member.session)
    const quick = () =>
      sendRequest(server.url, '/a.txt', { method: 'PUT', headers: { 'x-svctoken': token }, body: 'content' })
    const response = await sendDuring(cluster, await cluster.connect(), server, member, quick)
    expect(response.status).toBe(403)
  })

  test('takes an upload along that comes between the last look and the deletion', async () => {
    const cluster = await newCluster()
    const [server, other] = [await cluster.start(), await cluster.start()]
    const member = await newMember(server)
    const database = await cluster.connect()
    await database.query(cluster.kind === 'sqlite3' ? 'begin immediate' : 'begin')
    await database.query(insertUpload(member.id))
    const deletion = call(other, `DELETE /user/${encodeURIComponent(member.id)}`, { as: other.admin })
    if (cluster.kind === 'sqlite3')
      for (let trip = 0; trip < roundTrips; trip++) await sendRequest(other.url, '/health')
    else await until('the deletion waits', async () => (await database.waiting()) > 0)
    await database.query('commit')
    expect((await deletion).status).toBe(200)
    expect(await database.query('select 1 from uploads where "deletedAt" is null')).toEqual([])
  })

  test('loses a file that is arriving, and its sender gets an error', async () => {
    const cluster = await newCluster()
    const [server, other] = [await cluster.start(), await cluster.start()]
    const member = await newMember(server)
    const connection = await rawConnection(server.url)
    const headers = { ...member.session.headers, 'content-length': 2_000 }
    await connection.send(requestHead('PUT', '/arriving.bin', headers))
    await connection.send('x'.repeat(1_000))
    const database = await cluster.connect()
    await until('the file arrives', async () => (await database.query('select 1 from files')).length === 1)
    const deletion = await call(other, `DELETE /user/${encodeURIComponent(member.id)}`, { as: other.admin })
    expect(deletion.status).toBe(200)
    await connection.send('x'.repeat(1_000))
    expect((await connection.response()).status).toBe(404)
    await other.clean()
    await other.clean()
    expect(storedFiles(cluster)).toEqual([])
    expect(await database.query('select status from files')).toEqual([{ status: 'deleted' }])
  })
})

/** An upload as another server writes it. */
const insertUpload = (userId: string) => `
  insert into uploads ("id", "tokenHash", "ttl", "extendTtl", "oneShot", "removable", "stream", "comments", "e2ee",
    "address", "fileCount", "createdAt", "userId")
  values ('upload0123456789', '', -1, 0, 0, 0, 0, '', '', '', 0, 0, '${userId}')`
