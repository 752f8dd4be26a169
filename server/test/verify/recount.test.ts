import { expect, test } from 'vitest'
import { withWholeTables } from '../../src/composition/server.ts'
import { signIn, createUser, userPassword } from '../support/clients/accounts.ts'
import { sendRequest, jsonIn } from '../support/clients/send-request.ts'
import { describeCluster } from '../support/servers/cluster.ts'

const right = { uploads: 0, users: 0, counters: 0 }

describeCluster('a recount', (newCluster) => {
  test('reports no difference where counters are correct, and corrects wrong ones while the server runs', async () => {
    const cluster = await newCluster()
    const server = await cluster.start()
    const recount = () => withWholeTables(server.config, (tables) => tables.recount())
    const stats = async () =>
      jsonIn(await sendRequest(server.url, '/stats', { headers: server.admin.headers }))
    await createUser(server, server.admin, { login: 'ann' })
    const ann = await signIn(server, { login: 'ann', password: userPassword })
    const send = (headers: Readonly<Record<string, string>>, body: string) =>
      sendRequest(server.url, '/a.txt', { method: 'PUT', headers, body })
    for (const body of ['one', 'three']) await send(ann.headers, body)
    await send({}, 'anonymous')
    const expected = {
      users: 2,
      uploads: 3,
      anonymousUploads: 1,
      files: 3,
      totalSize: 17,
      anonymousTotalSize: 9,
    }
    expect([await recount(), await stats()]).toEqual([right, expected])

    const database = await cluster.connect()
    await database.query(`update uploads set "size" = "size" + 5 where "userId" is not null`)
    await database.query(`update users set "usedSize" = 7 where "id" = 'local:ann'`)
    await database.query(`update totals set "files" = "files" + 100 where "owner" = '*'`)
    await database.query(`delete from totals where "owner" = 'local:ann'`)
    expect(await recount()).toEqual({ uploads: 2, users: 1, counters: 2 })
    expect([await recount(), await stats()]).toEqual([right, expected])
    const mine = await sendRequest(server.url, '/me/stats', { headers: ann.headers })
    expect(jsonIn(mine)).toEqual({ uploads: 2, files: 2, totalSize: 8 })
  })
})
