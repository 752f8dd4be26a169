import { afterEach, expect, test, vi } from 'vitest'
import { createServers } from '../../test/served.ts'
import { createClient } from './client.ts'

const { served, close } = createServers()
afterEach(close)

const body = { type: 'upload.expiring', timestamp: '2026-01-01T00:00:00Z', data: { uploadID: 'é' } }
const text = `retry: 5000\n\n:\n\nid: 7-a\nevent: upload.expiring\ndata: ${JSON.stringify(body)}\n\n:\n\nid: 8-b\ndata: ${JSON.stringify(body)}\n\ndata: incompl`

test('events are read from a stream, in any pieces, and an incomplete one is not', async () => {
  const baseURL = await served((request, response) => {
    expect(request.headers['last-event-id']).toBe('6-z')
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7))
    response.end()
  })
  const events = await Array.fromAsync(createClient({ baseURL }).myEvents({ lastEventID: '6-z' }))
  expect(events).toEqual([
    { id: '7-a', body },
    { id: '8-b', body },
  ])
})

test('a stream ends when its caller stops reading', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<undefined>()
  const baseURL = await served((_request, response) => {
    response.on('close', () => {
      resolve(undefined)
    })
    response.write(text)
  })
  for await (const { id } of createClient({ baseURL }).myEvents()) {
    expect(id).toBe('7-a')
    break
  }
  await closed
})

test('a refusal is an error', async () => {
  const baseURL = await served((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end('{"code":"login_required","message":"login"}')
  })
  await expect(Array.fromAsync(createClient({ baseURL }).myEvents())).rejects.toMatchObject({
    code: 'login_required',
  })
})

test('changes of uploads are read from a stream, which has begun with its first line', async () => {
  const baseURL = await served((request, response) => {
    expect(request.url).toBe('/uploads/events?id=a&id=b')
    response.end('retry: 5000\n\n:\n\ndata: {"uploadID":"b"}\n\ndata: {"uploadID":"a"}\n\n')
  })
  const seen: string[] = []
  const events = createClient({ baseURL }).uploadEvents(['a', 'b'], { onOpen: () => seen.push('open') })
  for await (const { uploadID } of events) seen.push(uploadID)
  expect(seen).toEqual(['open', 'b', 'a'])
})

test('a stream without a line has not begun', async () => {
  const baseURL = await served((_request, response) => {
    response.end()
  })
  const onOpen = vi.fn()
  expect(await Array.fromAsync(createClient({ baseURL }).uploadEvents(['a'], { onOpen }))).toEqual([])
  expect(onOpen).not.toHaveBeenCalled()
})

test('a stream on which nothing arrives for 45 seconds is lost', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const baseURL = await served((_request, response) => {
      response.write(':\n\n')
    })
    const { promise: opened, resolve } = Promise.withResolvers<undefined>()
    const events = createClient({ baseURL }).uploadEvents(['a'], { onOpen: () => resolve(undefined) })
    const reading = Array.fromAsync(events).catch((error: unknown) => error)
    await opened
    await vi.advanceTimersByTimeAsync(44_999)
    await vi.advanceTimersByTimeAsync(1)
    expect(await reading).toMatchObject({ status: 0, code: 'network' })
  } finally {
    vi.useRealTimers()
  }
})
