import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { gcsBackend } from '../../src/data/gcs/open.ts'
import { testTuning } from '../data/suites/network-store.ts'
import { fileForm, formType } from '../support/clients/forms.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { startFaultyProxy, type Fault, type FaultyProxy } from '../support/servers/faulty-proxy.ts'
import { startGcsServer, type GcsServer } from '../support/stores/gcs/server.ts'
import { fileStatuses } from '../support/servers/server-data.ts'
import { testDependencies } from '../support/stores/store-dependencies.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'

const any = /./
const lookAtBucket = /^GET .storage.v1.b.[^/?]+/
/** Milliseconds of the server's time in which a small upload is rejected. */
const soon = 5_000

describe('an unreachable store', () => {
  let store: GcsServer
  let proxy: FaultyProxy
  let server: TestServer
  beforeEach(async () => {
    store = await startGcsServer()
    proxy = await startFaultyProxy(store.endpoint)
    const options = { bucket: store.bucketName, prefix: 'svc/', keyFile: '', endpoint: proxy.url }
    // A longer timeout than any client has.
    const tuning = {
      ...testTuning,
      idleTimeout: 3_600_000,
      retryPolicy: { tries: 100, firstWaitMs: 3_600_000 },
    }
    server = await startTestServer({ data: await gcsBackend(options, testDependencies(), tuning) })
  })
  afterEach(async () => {
    await server.close()
    await proxy.close()
    await store.close()
  })

  /** Advances the clock, no further than allowed, until something is done. */
  const inTime = async <Result>(work: Promise<Result>): Promise<Result> => {
    const waiting = { over: false }
    const end = () => (waiting.over = true)
    void work.then(end, end)
    let passed = 0
    await until('it is done in time', () => {
      if (passed < soon) server.clock.advance(10)
      passed += 10
      return waiting.over
    })
    return work
  }

  test.each<[string, Fault]>([
    ['says nothing', { kind: 'stall' }],
    ['rejects', { kind: 'respond', status: 503 }],
  ])('and %s fails a small upload within five seconds; nothing of it remains', async (_, fault) => {
    proxy.fail(fault, { when: any })
    const put = sendRequest(server.url, '/small.txt', { method: 'PUT', body: 'x'.repeat(1_000) })
    await until('the store receives a request', () => proxy.requests.some((line) => line.includes('upload')))
    expect((await inTime(put)).status).toBe(503)
    expect(fileStatuses(server)).toEqual(['removed'])
    proxy.heal()
    expect((await sendRequest(server.url, '/small.txt', { method: 'PUT', body: 'y' })).status).toBe(200)
    expect(store.bucket.objects.size).toBe(1)
  })

  test('fails a small form within five seconds', async () => {
    proxy.fail({ kind: 'stall' }, { when: any })
    const headers = { 'content-type': formType }
    const post = sendRequest(server.url, '/', { method: 'POST', body: fileForm('x'), headers })
    await until('the store receives a request', () => proxy.requests.some((line) => line.includes('upload')))
    expect((await inTime(post)).status).toBe(503)
    expect(fileStatuses(server)).toEqual(['removed'])
  })

  test('is distinguished from a slow one, and from one that misses a single request', async () => {
    const held = Promise.withResolvers<undefined>()
    proxy.fail({ kind: 'hold', until: held.promise }, { when: /upload/ })
    const put = sendRequest(server.url, '/small.txt', { method: 'PUT', body: 'x' })
    await until('the store receives a request', () => proxy.requests.some((line) => line.includes('upload')))
    const looks = () => proxy.requests.filter((line) => lookAtBucket.test(line)).length
    const before = looks()
    const missed = proxy.fail({ kind: 'respond', status: 503 }, { when: lookAtBucket, times: 1 })
    await until('it received two requests, and another', () => {
      server.clock.advance(10)
      return looks() >= before + 3
    })
    expect(missed()).toBe(1)
    held.resolve(undefined)
    expect((await put).status).toBe(200)
  })
})
