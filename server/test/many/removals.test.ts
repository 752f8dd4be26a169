import { expect, test } from 'vitest'
import { createUserToken } from '../support/accounts.ts'
import { ask } from '../support/ask.ts'
import { expectBooksRight } from '../support/figures.ts'
import { describeTogether } from '../support/together.ts'
import { until } from '../support/until.ts'
import { call, join } from '../accounts/site.ts'

/** More than all connections of both servers to their database. */
const count = 40

describeTogether('uploads of one user that are removed all at once, on two servers', (meet) => {
  test('are all removed: none waits so long for the others that it is refused', async () => {
    const meeting = await meet()
    const sites = [await meeting.start(), await meeting.start()] as const
    const member = await join(sites[0])
    const headers = { 'x-svctoken': await createUserToken(sites[0], member.session) }
    const ids: string[] = []
    for (let n = 0; n < count; n += 1) {
      const stored = await ask(sites[0].url, '/a.txt', { method: 'PUT', headers, body: 'x' })
      ids.push(String(stored.headers['x-uploadid']))
    }
    const database = await meeting.beside()
    await database.ask(meeting.kind === 'sqlite3' ? 'begin immediate' : 'begin')
    await database.ask(`update users set "usedSize" = "usedSize" + 1 where id = '${member.id}'`)
    const removals = ids.map((id, n) =>
      call(sites[n % 2 === 0 ? 0 : 1], `DELETE /upload/${id}`, { as: member.session }),
    )
    if (meeting.kind !== 'sqlite3')
      await until('all connections wait for the user', async () => (await database.blocked()) >= 20)
    await database.ask(`update users set "usedSize" = "usedSize" - 1 where id = '${member.id}'`)
    await database.ask('commit')
    expect((await Promise.all(removals)).map(({ status }) => status)).toEqual(ids.map(() => 200))
    await sites[0].clean()
    await expectBooksRight(database, meeting)
  })
})
