import { filePath, type Upload } from '@svc/contract'
import { createClient, type ReceivedEvent } from '@svc/sdk'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createUserToken } from '../support/clients/accounts.ts'
import { errorIn, jsonIn, sendRequest } from '../support/clients/send-request.ts'
import { describeCluster } from '../support/servers/cluster.ts'
import {
  call,
  newMember,
  startServerWithAccounts,
  type Member,
  type ServerWithAccounts,
} from '../support/servers/server-with-accounts.ts'
import { until } from '../support/until.ts'

let server: ServerWithAccounts
let member: Member
let token: string
beforeAll(async () => {
  server = await startServerWithAccounts()
})
afterAll(() => server.close())
beforeEach(async () => {
  member = await newMember(server)
  token = await createUserToken(server, member.session)
})

const clientOf = (userToken = token, at = server) => createClient({ baseURL: at.url, userToken })

/** Opens a stream, and collects its events. */
function listen(options: Parameters<ReturnType<typeof clientOf>['myEvents']>[0] = {}, client = clientOf()) {
  const events: ReceivedEvent[] = []
  const stop = new AbortController()
  const ended = (async () => {
    for await (const event of client.myEvents({ signal: stop.signal, ...options })) events.push(event)
  })()
  let isEnded = false
  const settle = () => {
    isEnded = true
  }
  ended.then(settle, settle)
  return {
    events,
    ended,
    isEnded: () => isEnded,
    stop: () => {
      stop.abort()
    },
  }
}

/** Until the server knows the stream, it keeps no events for it. */
const untilListening = (member: Member, at = server) =>
  until('events are kept', async () => {
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(`${at.directory}/svc.db`, { readOnly: true })
    try {
      return (
        database.prepare('select 1 from notificationSettings where userId = ?').get(member.id) !== undefined
      )
    } finally {
      database.close()
    }
  })

async function newUpload(): Promise<{ readonly id: string; readonly path: string }> {
  const created = await call(server, 'POST /upload', { as: member.session, body: {} })
  const { id, uploadToken = '' } = jsonIn(created) as Upload
  const file = await server.client.addFile(id, new Blob(['content']), { fileName: 'a.txt', uploadToken })
  return { id, path: filePath(id, file.id, 'a.txt') }
}

async function download(path: string): Promise<void> {
  await sendRequest(server.url, path)
  server.clock.advance(5_000)
}

/** Events appear once the server has written and read them: a look at every two seconds of its clock. */
const untilEvents = (events: readonly unknown[], count: number) =>
  until(`there are ${String(count)} events`, () => {
    if (events.length < count) server.clock.advance(2_000)
    return events.length >= count
  })

test('a stream receives the events of its account, once each, and no earlier ones', async () => {
  const { id, path } = await newUpload()
  await download(path)
  const { events, stop } = listen()
  await untilListening(member)
  const other = await newMember(server)
  await createUserToken(server, other.session)
  await download(path)
  await untilEvents(events, 1)
  await download(path)
  await untilEvents(events, 2)
  server.clock.advance(20_000)
  expect(events.map(({ body }) => [body.type, body.data])).toEqual(
    Array(2).fill(['upload.downloaded', expect.objectContaining({ uploadID: id }) as unknown]),
  )
  stop()
})

test('a stream continues after the last event that its client has', async () => {
  const { path } = await newUpload()
  const first = listen()
  await untilListening(member)
  await download(path)
  await untilEvents(first.events, 2)
  first.stop()
  const lastEventID = first.events.at(-1)?.id
  const known = new Set(first.events.map(({ id }) => id))
  server.clock.advance(60_000)
  await download(path)
  await until('the missed event is there, and earlier ones at most again', async () => {
    const missed = await Array.fromAsync(clientOf().myEvents({ lastEventID, wait: 0 }))
    return (
      missed.filter(({ id }) => !known.has(id)).length === 1 && missed.every(({ id }) => id !== lastEventID)
    )
  })
})

test('a stream ends with its token, its session and its time', async () => {
  const byToken = listen()
  await untilListening(member)
  const tokens = jsonIn(await call(server, 'GET /me/token', { as: member.session })) as {
    readonly results: readonly [{ readonly id: string }]
  }
  await call(server, `DELETE /me/token/${tokens.results[0].id}`, { as: member.session })
  await until('the stream has ended', () => {
    server.clock.advance(15_000)
    return byToken.isEnded()
  })
  const byTime = listen({ wait: 30 }, clientOf(await createUserToken(server, member.session)))
  await until('the stream has ended', () => {
    server.clock.advance(30_000)
    return byTime.isEnded()
  })
  const bySession = call(server, 'GET /me/events', { as: member.session })
  let isEnded = false
  void bySession.then(() => (isEnded = true))
  await call(server, 'GET /auth/logout', { as: member.session })
  await until('the stream has ended', () => {
    server.clock.advance(15_000)
    return isEnded
  })
  expect((await bySession).headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  })
})

test('an account has a limited number of streams', async () => {
  const open = Array.from({ length: 8 }, () => listen())
  await until('eight are open', async () => {
    const response = await call(server, 'GET /me/events?wait=0', { as: member.session })
    return response.status === 429 && errorIn(response).code === 'too_many_connections'
  })
  for (const stream of open) stream.stop()
  await until('streams are free', async () => {
    const response = await call(server, 'GET /me/events?wait=0', { as: member.session })
    return response.status === 200
  })
})

test.each([
  'x',
  '1-',
  '1-short',
  `1-${'a'.repeat(17)}`,
  `-1-${'a'.repeat(16)}`,
  `99999999999999999-${'a'.repeat(16)}`,
])('the id %s of a last event is refused', async (id) => {
  const headers = { 'last-event-id': id }
  const response = await call(server, 'GET /me/events?wait=0', { as: member.session, headers })
  expect(errorIn(response)).toEqual({ status: 400, code: 'invalid_request' })
})

test('HEAD has the headers, and opens no stream', async () => {
  const { status, headers } = await call(server, 'HEAD /me/events', { as: member.session })
  expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
})

test('streams end when the server stops', async () => {
  const stopped = await startServerWithAccounts()
  const listener = await newMember(stopped)
  const client = clientOf(await createUserToken(stopped, listener.session), stopped)
  const { ended } = listen({}, client)
  await untilListening(listener, stopped)
  await stopped.close()
  await ended
})

describeCluster('streams of events on several instances', (newCluster) => {
  test('a stream receives events that another instance writes', async () => {
    const cluster = await newCluster()
    const first = await cluster.start()
    const second = await cluster.start()
    const someone = await newMember(first)
    const client = clientOf(await createUserToken(first, someone.session), second)
    const { events, stop } = listen({}, client)
    const connection = await cluster.connect()
    await until(
      'events are kept',
      async () => (await connection.query('select * from "notificationSettings"')).length > 0,
    )
    const { id, uploadToken = '' } = jsonIn(
      await call(first, 'POST /upload', { as: someone.session, body: {} }),
    ) as Upload
    const file = await first.client.addFile(id, new Blob(['x']), { fileName: 'a', uploadToken })
    await sendRequest(first.url, filePath(id, file.id, 'a'))
    first.clock.advance(5_000)
    await until('the event is there', () => {
      second.clock.advance(2_000)
      return events.length === 2
    })
    expect(events.map(({ body }) => body.type).toSorted()).toEqual([
      'upload.downloaded',
      'upload.first_download',
    ])
    stop()
  })
})
