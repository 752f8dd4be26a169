import { DatabaseSync } from 'node:sqlite'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { instanceSignatures } from '../../src/auth/instance-signatures.ts'
import { relayHeaders, relayPath } from '../../src/domain/relay-protocol.ts'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { whenUnlocked } from '../support/databases/when-unlocked.ts'
import { lookUp } from '../support/servers/server-data.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'
import { becomes, declareStream, expectToWork, sendWhole, statusOf, type Declared } from './streams.ts'

let one: TestServer
let other: TestServer
beforeEach(async () => {
  one = await startTestServer()
  const start = one.clock.now() + 30_000
  // Clocks of two machines.
  other = await startTestServer({ directory: one.directory, clock: manualClock(start) })
})
afterEach(async () => {
  await other.close()
  await one.close()
})

const text = (sql: string) => lookUp(one, sql).map(String)
const instanceOf = (declared: Declared) =>
  text(`select instance from files where id = '${declared.file.id}'`)[0] ?? ''

async function change(sql: string): Promise<void> {
  using database = new DatabaseSync(join(one.directory, 'svc.db'))
  await whenUnlocked(() => {
    database.exec(`begin immediate; ${sql}; commit`)
  })
}

async function waiting() {
  const declared = await declareStream(one)
  const sent = sendWhole(one.url, declared, 'content')
  await becomes(one, declared, 'uploading')
  return { declared, sent }
}

/** Changes the address of the instance with the sender. */
const moveTo = (url: string, declared: Declared) =>
  change(`update instances set url = '${url}' where id = '${instanceOf(declared)}'`)

test('a stream crosses between instances whose clocks differ by 30 seconds, both ways', async () => {
  await expectToWork(one, await declareStream(one), { from: other })
  await expectToWork(other, await declareStream(other), { from: one })
})

describe('a recipient gets an error when the sender cannot be reached', () => {
  const unavailable = { status: 503, code: 'unavailable' }

  async function expectUnreachable(declared: Declared, sent: Promise<unknown>) {
    expect(errorIn(await sendRequest(other.url, declared.path))).toEqual(unavailable)
    expect(await statusOf(one, declared)).toBe('uploading')
    // The stream itself is not affected.
    expect((await sendRequest(one.url, declared.path)).text).toBe('content')
    await sent
  }

  test('when nothing listens at its address', async () => {
    const { declared, sent } = await waiting()
    await moveTo('http://127.0.0.1:9', declared)
    await expectUnreachable(declared, sent)
  })

  test('when another instance listens there', async () => {
    const { declared, sent } = await waiting()
    const [url = ''] = text(`select url from instances where id <> '${instanceOf(declared)}'`)
    await moveTo(url, declared)
    await expectUnreachable(declared, sent)
  })

  test('when another service responds there', async () => {
    const { declared, sent } = await waiting()
    const otherClient = createServer((_request, response) => response.end('anything'))
    await new Promise<void>((resolve) => otherClient.listen(0, '127.0.0.1', resolve))
    await moveTo(`http://127.0.0.1:${String((otherClient.address() as AddressInfo).port)}`, declared)
    await expectUnreachable(declared, sent)
    otherClient.close()
    otherClient.closeAllConnections()
  })
})

describe('the listener for instances', () => {
  /** A request as an instance signs it. */
  function signed(declared: Declared, { key, skew = 0 }: { key?: string; skew?: number } = {}) {
    const [shared = ''] = text(`select value from settings where key = 'sessionKey'`)
    const clock = manualClock(one.clock.now() + skew)
    const target = instanceOf(declared)
    const path = relayPath(declared.file.id)
    const { sign } = instanceSignatures(key ?? shared, clock, (bytes) => crypto.getRandomValues(bytes))
    const { time, nonce, signature } = sign({ method: 'POST', path, target })
    const [url = ''] = text(`select url from instances where id = '${target}'`)
    const headers = {
      [relayHeaders.target]: target,
      [relayHeaders.time]: time,
      [relayHeaders.nonce]: nonce,
      [relayHeaders.signature]: signature,
    }
    return { url, path, headers }
  }

  test('rejects requests without the key, or with a clock that differs by more than a minute', async () => {
    const { declared, sent } = await waiting()
    for (const wrong of [{ key: 'guessed' }, { skew: 61_000 }, { skew: -61_000 }]) {
      const { url, path, headers } = signed(declared, wrong)
      expect((await sendRequest(url, path, { method: 'POST', headers })).status).toBe(403)
    }
    const { url, path, headers } = signed(declared)
    for (const changed of [
      relayHeaders.target,
      relayHeaders.time,
      relayHeaders.nonce,
      relayHeaders.signature,
    ])
      expect(
        (await sendRequest(url, path, { method: 'POST', headers: { ...headers, [changed]: '1' } })).status,
      ).toBe(403)
    for (const elsewhere of ['/', '/config', `${path}x`])
      expect((await sendRequest(url, elsewhere, { method: 'POST', headers })).status).toBe(403)
    expect((await sendRequest(url, path, { headers })).status).toBe(403)
    expect((await sendRequest(one.url, declared.path)).text).toBe('content')
    expect((await sent).status).toBe(200)
  })

  test('accepts a request once: a replay is rejected', async () => {
    const { declared, sent } = await waiting()
    const { url, path, headers } = signed(declared)
    const first = await sendRequest(url, path, { method: 'POST', headers })
    expect([first.status, first.text]).toEqual([200, 'content'])
    // The bytes were not acknowledged, so the stream broke.
    expect(errorIn(await sent)).toEqual({ status: 502, code: 'stream_broken' })
    const again = sendWhole(one.url, declared, 'content')
    await becomes(one, declared, 'uploading')
    expect((await sendRequest(url, path, { method: 'POST', headers })).status).toBe(403)
    expect((await sendRequest(other.url, declared.path)).text).toBe('content')
    expect((await again).status).toBe(200)
  })
})

describe('a file of a dead instance', () => {
  /** A file in a stream through a process without a heartbeat for three minutes. */
  async function left(options = {}) {
    const declared = await declareStream(one, options)
    const seen = String(one.clock.now() - 180_000)
    await change(`insert into instances (id, seenAt, url) values ('dead', ${seen}, 'http://127.0.0.1:9');
      update files set status = 'uploading', instance = 'dead' where id = '${declared.file.id}'`)
    return declared
  }

  test('is not found, and missing after the next cleanup', async () => {
    const declared = await left()
    expect(errorIn(await sendRequest(one.url, declared.path))).toEqual({
      status: 404,
      code: 'file_not_found',
    })
    expect((await one.clean()).abandonedFiles).toBe(1)
    expect(await statusOf(one, declared)).toBe('missing')
    await expectToWork(one, declared)
  })

  test('can be sent before that', async () => {
    await expectToWork(other, await left(), { from: one })
  })

  test('is removed with its upload', async () => {
    const declared = await left({ ttl: 60 })
    one.clock.advance(60_000)
    await one.clean()
    expect(text(`select status from files where id = '${declared.file.id}'`)).toEqual(['deleted'])
  })
})

test('a stream whose file moved to another instance ends here', async () => {
  const { declared, sent } = await waiting()
  await change(`update files set instance = 'another' where id = '${declared.file.id}'`)
  let hasResponse = false
  void sent.then(() => (hasResponse = true))
  await until('the sender has a response', () => {
    one.clock.advance(1_000)
    return hasResponse
  })
  expect(errorIn(await sent).code).toBe('file_not_found')
})

test('without streams there is no listener', async () => {
  const without = await startTestServer({ features: { feature_stream: 'disabled' } })
  try {
    expect(lookUp(without, 'select url from instances')).toEqual([''])
  } finally {
    await without.close()
  }
})

test('processes that share an address listen on adjacent ports', async () => {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const config = { instanceURL: `http://127.0.0.1:${String(port - 1)}` }
  const second = await startTestServer({ config, workerIndex: { index: 1, count: 2 } })
  try {
    expect(lookUp(second, 'select url from instances')).toEqual([`http://127.0.0.1:${String(port)}`])
  } finally {
    await second.close()
  }
})
