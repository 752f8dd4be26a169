import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defaultConfig } from '../../src/config/load.ts'
import { memoryBackend } from '../../src/data/memory/memory.ts'
import { newFile, patch } from '../resumable/tus.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { createUser, signIn, userPassword } from '../support/clients/accounts.ts'
import { startServerWithAccounts, type ServerWithAccounts } from '../support/servers/server-with-accounts.ts'

/** What the store has learned about who sends each file. */
const senders: (string | null | undefined)[] = []
let server: ServerWithAccounts

beforeAll(async () => {
  const memory = memoryBackend()
  const { resumable } = memory
  if (resumable === undefined) throw new Error('no resumable uploads')
  server = await startServerWithAccounts({
    data: {
      ...memory,
      add: (key, source, signal, sender) => {
        senders.push(sender)
        return memory.add(key, source, signal)
      },
      resumable: {
        ...resumable,
        append: (key, from, source, options) => {
          senders.push(options.sender)
          return resumable.append(key, from, source, options)
        },
      },
    },
    config: {
      trustedProxies: ['127.0.0.1'],
      budgets: { ...defaultConfig('').budgets, exempt: ['198.51.100.0/24'] },
    },
  })
})
beforeEach(() => {
  senders.length = 0
})
afterAll(() => server.close())

const send = async (from: string, headers: Readonly<Record<string, string>> = {}) => {
  const sent = { 'x-forwarded-for': from, ...headers }
  const { status } = await sendRequest(server.url, '/a.txt', { method: 'PUT', headers: sent, body: 'a' })
  expect(status).toBe(200)
}

test('guests of a network are one sender, others are others', async () => {
  for (const from of ['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2']) await send(from)
  expect(senders).toEqual([
    'network 192.0.2.1',
    'network 192.0.2.2',
    'network 2001:db8::',
    'network 2001:db8::',
  ])
})

test('a user is one sender, wherever the requests come from', async () => {
  const { id } = await createUser(server, server.admin, { login: 'ada' })
  const { headers } = await signIn(server, { login: 'ada', password: userPassword })
  for (const from of ['192.0.2.1', '192.0.2.2']) await send(from, headers)
  expect(senders).toEqual([`account ${id}`, `account ${id}`])
})

test('a part of a resumable file has the sender of its request', async () => {
  const file = await newFile(server, { size: 2 })
  await patch(server, file, 0, Buffer.from('a'), { 'x-forwarded-for': '192.0.2.1' })
  expect(senders).toEqual(['network 192.0.2.1'])
})

test('networks without budgets are not limited as senders either', async () => {
  await send('198.51.100.7')
  expect(senders).toEqual([null])
})
