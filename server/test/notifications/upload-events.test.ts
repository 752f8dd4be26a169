import { limits, type UploadOptions } from '@svc/contract'
import { createClient } from '@svc/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newRequest } from '../requests/caller.ts'
import { errorIn, sendRequest } from '../support/clients/send-request.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { describeCluster } from '../support/servers/cluster.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ features: { feature_extend_ttl: 'enabled' } })
})
afterAll(() => server.close())

/** Opens a stream, and collects the uploads of its events. */
async function listen(uploadIDs: readonly string[], at: Pick<TestServer, 'client' | 'clock'> = server) {
  const changed: string[] = []
  const stop = new AbortController()
  const { promise: opened, resolve: onOpen } = Promise.withResolvers<undefined>()
  const reading = async () => {
    const options = { signal: stop.signal, onOpen: () => onOpen(undefined) }
    for await (const { uploadID } of at.client.uploadEvents(uploadIDs, options)) changed.push(uploadID)
  }
  const ended = reading()
  ended.catch(() => undefined)
  await Promise.race([opened, ended])
  return {
    changed,
    ended,
    /** Advances the clock until the instance has looked, and an event has arrived. */
    next: () =>
      until('there is an event', () => {
        at.clock.advance(2_000)
        return changed.splice(0)[0]
      }),
    stop: () => {
      stop.abort()
    },
  }
}

const newUpload = async (options: UploadOptions = {}) => {
  const upload = await server.client.createUpload(options)
  return { id: upload.id, uploadToken: upload.uploadToken ?? '' }
}
const addFile = ({ id, uploadToken }: Awaited<ReturnType<typeof newUpload>>, fileName = 'a.txt') =>
  server.client.addFile(id, new Blob(['content']), { fileName, uploadToken })

test('an event follows each change: a file arrives, is removed, and the upload is removed', async () => {
  const upload = await newUpload({ removable: true })
  const { next, stop } = await listen([upload.id])
  const file = await addFile(upload)
  expect(await next()).toBe(upload.id)
  await server.client.removeFile(upload.id, file, upload)
  expect(await next()).toBe(upload.id)
  await server.client.removeUpload(upload.id, upload)
  expect(await next()).toBe(upload.id)
  stop()
})

test('an event follows the download of a one-shot file, and each download of a file with a limit', async () => {
  const once = await storeUpload(server, 'x', { oneShot: true })
  const twice = await storeUpload(server, 'x', { maxDownloads: 2 })
  const { next, stop } = await listen([once.upload.id, twice.upload.id])
  await sendRequest(server.url, once.path)
  expect(await next()).toBe(once.upload.id)
  for (let downloads = 0; downloads < 2; downloads++) {
    await sendRequest(server.url, twice.path)
    expect(await next()).toBe(twice.upload.id)
  }
  stop()
})

test('an event follows the end of an upload by its expiry, and none comes before', async () => {
  const { id } = await newUpload({ ttl: 600 })
  const { next, changed, stop } = await listen([id])
  server.clock.advance(598_000)
  expect(changed).toEqual([])
  server.clock.advance(2_000)
  expect(await next()).toBe(id)
  stop()
})

test('an event follows a download that extends the lifetime', async () => {
  const { upload, path } = await storeUpload(server, 'x', { ttl: 1_000_000, extend_ttl: true })
  const { next, stop } = await listen([upload.id])
  server.clock.advance(3_600_000)
  await sendRequest(server.url, path)
  expect(await next()).toBe(upload.id)
  stop()
})

test('a declared file that begins to arrive is a change', async () => {
  const upload = await server.client.createUpload({ files: [{ fileName: 'a.txt' }] })
  const { next, stop } = await listen([upload.id])
  const uploadToken = upload.uploadToken ?? ''
  await server.client.addFile(upload.id, new Blob(['x']), {
    fileName: 'a.txt',
    uploadToken,
    fileID: upload.files[0]?.id,
  })
  expect(await next()).toBe(upload.id)
  stop()
})

test('an upload with a password has no events, as one that does not exist and one that was removed', async () => {
  const locked = await newUpload({ password: 'secret word' })
  const removed = await newUpload()
  await server.client.removeUpload(removed.id, removed)
  const open = await newUpload()
  const { next, changed, stop } = await listen(['a'.repeat(16), 'short', removed.id, locked.id, open.id])
  await addFile(locked)
  await server.client.removeUpload(locked.id, locked)
  await addFile(open)
  expect(await next()).toBe(open.id)
  await addFile(open)
  expect(await next()).toBe(open.id)
  expect(changed).toEqual([])
  stop()
})

test('an upload that a request has received has no events, because only its owner and its sender see it', async () => {
  const { id } = await newRequest(server)
  const received = await server.client.sendToUploadRequest(id)
  const open = await newUpload()
  const { next, changed, stop } = await listen([received.id, open.id])
  await addFile({ id: received.id, uploadToken: received.uploadToken ?? '' })
  server.clock.advance(2_000)
  await addFile(open)
  expect(await next()).toBe(open.id)
  expect(changed).toEqual([])
  stop()
})

test('streams of the same upload each receive its events, and only those after their begin', async () => {
  const upload = await newUpload()
  const first = await listen([upload.id, upload.id])
  await addFile(upload)
  expect(await first.next()).toBe(upload.id)
  const second = await listen([upload.id])
  await addFile(upload, 'b.txt')
  expect(await first.next()).toBe(upload.id)
  await until('the second has it', () => second.changed.length > 0)
  expect(second.changed).toEqual([upload.id])
  first.stop()
  second.stop()
})

const path = (count: number) =>
  `/uploads/events?wait=0&${Array.from({ length: count }, () => `id=${'a'.repeat(16)}`).join('&')}`

test('a stream has 1 to 64 uploads', async () => {
  expect(limits.watchedUploads).toBe(64)
  for (const count of [1, 2, 64]) expect((await sendRequest(server.url, path(count))).status).toBe(200)
  for (const count of [0, 65])
    expect(errorIn(await sendRequest(server.url, path(count)))).toEqual({
      status: 400,
      code: 'invalid_request',
    })
  expect(errorIn(await sendRequest(server.url, `/uploads/events?id=${'a'.repeat(17)}`)).status).toBe(400)
})

test('a network has 64 streams', async () => {
  const open = await Promise.all(Array.from({ length: 64 }, () => listen(['a'.repeat(16)])))
  const refused = await sendRequest(server.url, path(1))
  expect(errorIn(refused)).toEqual({ status: 429, code: 'too_many_connections' })
  expect(refused.headers['retry-after']).toBe('15')
  open[0]?.stop()
  await until('a stream is free', async () => (await sendRequest(server.url, path(1))).status === 200)
  for (const stream of open) stream.stop()
})

test('a network that is exempt from budgets has more streams', async () => {
  const exempt = await startTestServer({
    config: { budgets: { ...server.config.budgets, exempt: ['127.0.0.0/8'] } },
  })
  const open = await Promise.all(Array.from({ length: 65 }, () => listen(['a'.repeat(16)], exempt)))
  for (const stream of open) stream.stop()
  await exempt.close()
})

test('HEAD has the headers, and opens no stream', async () => {
  const { status, headers } = await sendRequest(server.url, `/uploads/events?id=${'a'.repeat(16)}`, {
    method: 'HEAD',
  })
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    'no-store',
  ])
})

test('a stream ends after its time, and when the server stops', async () => {
  const stopped = await startTestServer()
  const timed = Array.fromAsync(stopped.client.uploadEvents(['a'.repeat(16)], { wait: 30 }))
  let isEnded = false
  void timed.then(() => (isEnded = true))
  await until('the stream has ended', () => {
    stopped.clock.advance(30_000)
    return isEnded
  })
  const { ended } = await listen(['a'.repeat(16)], stopped)
  await stopped.close()
  await ended
})

describeCluster('changes of uploads on several instances', (newCluster) => {
  test('a stream receives the changes that another instance makes', async () => {
    const cluster = await newCluster()
    const first = await cluster.start()
    const second = await cluster.start()
    const { upload, uploadToken, path: download } = await storeUpload(first, 'x', { oneShot: true })
    const { next, stop } = await listen([upload.id, 'a'.repeat(16)], second)
    await sendRequest(first.url, download)
    expect(await next()).toBe(upload.id)
    await createClient({ baseURL: first.url }).addFile(upload.id, new Blob(['y']), {
      fileName: 'b',
      uploadToken,
    })
    expect(await next()).toBe(upload.id)
    await first.client.removeUpload(upload.id, { uploadToken })
    expect(await next()).toBe(upload.id)
    stop()
  })
})
