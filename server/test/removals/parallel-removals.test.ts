import { expect, test } from 'vitest'
import { createUserToken } from '../support/clients/accounts.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { expectCorrectCounters } from '../support/databases/correct-counters.ts'
import { describeCluster } from '../support/servers/cluster.ts'
import { until } from '../support/until.ts'
import { call, newMember } from '../support/servers/server-with-accounts.ts'

/** More than all connections of both servers to their database. */
const count = 40

describeCluster('uploads of one user that are removed all at once, on two servers', (newCluster) => {
  test('all succeed: none waits for the others until its timeout', async () => {
    const cluster = await newCluster()
    const servers = [await cluster.start(), await cluster.start()] as const
    const member = await newMember(servers[0])
    const headers = { 'x-svctoken': await createUserToken(servers[0], member.session) }
    const ids: string[] = []
    for (let n = 0; n < count; n += 1) {
      const stored = await sendRequest(servers[0].url, '/a.txt', { method: 'PUT', headers, body: 'x' })
      ids.push(String(stored.headers['x-uploadid']))
    }
    const database = await cluster.connect()
    await database.query(cluster.kind === 'sqlite3' ? 'begin immediate' : 'begin')
    await database.query(`update users set "usedSize" = "usedSize" + 1 where id = '${member.id}'`)
    const removals = ids.map((id, n) =>
      call(servers[n % 2 === 0 ? 0 : 1], `DELETE /upload/${id}`, { as: member.session }),
    )
    if (cluster.kind !== 'sqlite3')
      await until('all connections wait for the user', async () => (await database.waiting()) >= 20)
    await database.query(`update users set "usedSize" = "usedSize" - 1 where id = '${member.id}'`)
    await database.query('commit')
    expect((await Promise.all(removals)).map(({ status }) => status)).toEqual(ids.map(() => 200))
    await servers[0].clean()
    await expectCorrectCounters(database, cluster)
  })
})
