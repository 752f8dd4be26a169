import { archivePath, type DailyStats, type UploadOptions } from '@svc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanOnce } from '../../../src/core/cleanup/clean.ts'
import { withService } from '../../../src/composition/server.ts'
import { accountsConfig } from '../../support/clients/accounts.ts'
import { sendRequest, jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { fileForm, formType } from '../../support/clients/forms.ts'
import { manualClock } from '../../support/clocks/manual-clock.ts'
import { rawConnection, requestHead } from '../../support/clients/raw-connection.ts'
import { randomBytes, storeUpload } from '../../support/clients/stored-upload.ts'
import { until } from '../../support/until.ts'
import { becomes, declareStream, sendWhole } from '../../stream/streams.ts'
import {
  call,
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'

let server: ServerWithAccounts
beforeAll(async () => {
  server = await startServerWithAccounts({
    clock: manualClock(Date.UTC(2026, 0, 1, 23, 59)),
    features: { feature_extend_ttl: 'enabled' },
    config: { accounts: { ...accountsConfig, sessionTimeout: 500 * 86_400 }, maxTTL: -1 },
  })
})
afterAll(() => server.close())

const dailyStats = async (query = '') => {
  const response = await call(server, `GET /stats/daily${query}`, { as: server.admin })
  expect([response.status, response.text]).toEqual([200, expect.any(String)])
  return jsonIn(response) as DailyStats
}

/** All stats of today, by one name each. */
async function today(): Promise<Record<string, number>> {
  const { days, fileSizes, ttls, options } = await dailyStats()
  const { uploads = 0, files = 0, downloads = 0, bytesIn = 0, bytesOut = 0 } = days.at(-1) ?? {}
  return {
    uploads,
    files,
    downloads,
    bytesIn,
    bytesOut,
    ...Object.fromEntries(fileSizes.map(({ below, files }) => [`below ${String(below)}`, files])),
    ...Object.fromEntries(ttls.map(({ atMost, uploads }) => [`at most ${String(atMost)}`, uploads])),
    ...options,
  }
}

/** What is counted while something happens; what stays as it is, is left out. */
async function countsDuring(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await today()
  await work()
  const after = await today()
  const changes = Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)] as const)
  return Object.fromEntries(changes.filter(([, change]) => change !== 0))
}

const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  sendRequest(server.url, path, { method, headers })

/** Two files in one upload. */
async function storeTwo(): Promise<string> {
  const { upload, uploadToken } = await storeUpload(server, 'one', { fileName: 'one' })
  await server.client.addFile(upload.id, new Blob(['two']), { fileName: 'two', uploadToken })
  return archivePath(upload.id, 'all.zip')
}

describe('uploads', () => {
  test('uploads are counted with their TTL and options, files with their size', async () => {
    const options: UploadOptions = {
      ttl: 3600,
      oneShot: true,
      removable: true,
      extend_ttl: true,
      password: 'p',
    }
    expect(await countsDuring(() => storeUpload(server, randomBytes(100_000), options))).toEqual({
      uploads: 1,
      files: 1,
      bytesIn: 100_000,
      'below 1000000': 1,
      'at most 3600': 1,
      oneShot: 1,
      removable: 1,
      extendTTL: 1,
      password: 1,
    })
    expect(await countsDuring(() => storeUpload(server, '', { ttl: -1 }))).toEqual({
      uploads: 1,
      files: 1,
      'below 100000': 1,
      'at most null': 1,
    })
  })

  test('a quick upload counts once, unless its file fails; so does a resumable file', async () => {
    const quick = (body: Buffer) =>
      sendRequest(server.url, '/', { method: 'POST', headers: { 'content-type': formType }, body })
    const oneUpload = { uploads: 1, files: 1, 'below 100000': 1, 'at most 2592000': 1 }
    expect(await countsDuring(() => quick(fileForm('quick')))).toEqual({ ...oneUpload, bytesIn: 5 })
    expect(await countsDuring(() => quick(Buffer.from('no form')))).toEqual({})
    const inPieces = async () => {
      const { id, uploadToken = '' } = await server.client.createUpload()
      const headers = { 'x-uploadtoken': uploadToken, 'upload-complete': '?1' }
      await sendRequest(server.url, `/resumable/${id}?fileName=x`, { method: 'POST', headers, body: 'whole' })
    }
    expect(await countsDuring(inPieces)).toEqual({ ...oneUpload, bytesIn: 5 })
  })

  test('a stream is counted on both sides once it has passed', async () => {
    const pass = async () => {
      const declared = await declareStream(server)
      const sent = sendWhole(server.url, declared, 'live')
      await becomes(server, declared, 'uploading')
      expect((await get(declared.path)).text).toBe('live')
      await sent
    }
    expect(await countsDuring(pass)).toEqual({
      uploads: 1,
      files: 1,
      downloads: 1,
      bytesIn: 4,
      bytesOut: 4,
      'below 100000': 1,
      'at most 2592000': 1,
      stream: 1,
    })
  })
})

describe('downloads', () => {
  test('a file and an archive each count as one download', async () => {
    const { path } = await storeUpload(server, 'content')
    expect(await countsDuring(() => get(path))).toEqual({ downloads: 1, bytesOut: 7 })
    const archive = await storeTwo()
    const size = (await get(archive)).body.length
    expect(await countsDuring(() => get(archive))).toEqual({ downloads: 1, bytesOut: size })
    const { path: empty } = await storeUpload(server, '')
    expect(await countsDuring(() => get(empty))).toEqual({ downloads: 1 })
    const { path: once } = await storeUpload(server, 'content', { oneShot: true })
    expect(await countsDuring(() => get(once))).toEqual({ downloads: 1, bytesOut: 7 })
  })

  test('a download in any number of ranges counts once, with the last byte', async () => {
    const { path } = await storeUpload(server, 'content')
    const ranges = ['bytes=0-2', 'bytes=3-5', 'bytes=6-', 'bytes=0-0']
    const parts = async () => {
      for (const range of ranges) expect((await get(path, { range })).status).toBe(206)
    }
    expect(await countsDuring(parts)).toEqual({ downloads: 1, bytesOut: 8 })
    const archive = await storeTwo()
    expect(await countsDuring(() => get(archive, { range: 'bytes=0-9' }))).toEqual({ bytesOut: 10 })
  })

  test('a response without bytes of a file does not count', async () => {
    const { path, file } = await storeUpload(server, 'content')
    const nothing = async () => {
      expect((await get(path, {}, 'HEAD')).status).toBe(200)
      expect((await get(path, { 'if-none-match': `"${file.md5}"` })).status).toBe(304)
      expect((await get(path, { range: 'bytes=7-' })).status).toBe(416)
      expect((await get(`${path}x`)).status).toBe(404)
    }
    expect(await countsDuring(nothing)).toEqual({})
  })

  test('an interrupted download counts its bytes, but no download', async () => {
    const { path } = await storeUpload(server, randomBytes(32_000_000))
    const before = await today()
    const connection = await rawConnection(server.url)
    await connection.send(requestHead('GET', path))
    await connection.head()
    await connection.take(2_000_000)
    connection.cut()
    const since = await until('the bytes are counted', async () => {
      const now = await today()
      return now['bytesOut'] !== before['bytesOut'] && now
    })
    const sent = (since['bytesOut'] ?? 0) - (before['bytesOut'] ?? 0)
    expect([sent >= 1_000_000, sent < 32_000_000, since['downloads']]).toEqual([
      true,
      true,
      before['downloads'],
    ])
  })
})

describe('days', () => {
  test('are the last thirty by default, each from midnight in UTC', async () => {
    const { days } = await dailyStats()
    expect(days).toHaveLength(30)
    expect(days.at(-1)?.day).toBe('2026-01-01')
    server.clock.advance(59_999)
    await storeUpload(server)
    server.clock.advance(1)
    await storeUpload(server)
    await storeUpload(server)
    const later = await dailyStats('?from=2026-01-01&to=2026-01-03')
    expect(later.days.map(({ day }) => day)).toEqual(['2026-01-01', '2026-01-02', '2026-01-03'])
    expect(later.days.slice(1)).toEqual([
      { day: '2026-01-02', uploads: 2, files: 2, downloads: 0, bytesIn: 14, bytesOut: 0 },
      { day: '2026-01-03', uploads: 0, files: 0, downloads: 0, bytesIn: 0, bytesOut: 0 },
    ])
    const sum = ({ ttls, days: some }: DailyStats) => [
      ttls.reduce((all, { uploads }) => all + uploads, 0),
      some.reduce((all, { uploads }) => all + uploads, 0),
    ]
    expect(sum(await dailyStats('?from=2026-01-02'))).toEqual([2, 2])
    const [ofTTLs, ofDays] = sum(later)
    expect(ofTTLs).toBe(ofDays)
  })

  test.each([
    ['no day', '?from=yesterday', 'querystring/from must match format "date"'],
    ['a day that is in no calendar', '?to=2026-02-29', 'querystring/to must match format "date"'],
    ['a moment', '?to=2026-01-01T00:00:00Z', 'querystring/to must match format "date"'],
    ['backwards', '?from=2026-01-02&to=2026-01-01', 'from (2026-01-02) must not be after to (2026-01-01)'],
    ['more than a year', '?from=2025-01-01&to=2026-01-02', 'at most 366 days can be asked for at once'],
  ])('%s is rejected with a reason', async (_, query, message) => {
    const response = await call(server, `GET /stats/daily${query}`, { as: server.admin })
    expect(errorIn(response)).toEqual({ status: 400, code: 'invalid_request' })
    expect(response.text).toContain(JSON.stringify(message).slice(1, -1))
  })

  test('of a whole leap year can be requested', async () => {
    expect((await dailyStats('?from=2024-01-01&to=2024-12-31')).days).toHaveLength(366)
  })
})

test('daily stats are kept for 400 days, including today, and then removed by cleanup', async () => {
  const keptOn = async (today: number) => {
    await withService(server.config, cleanOnce, { clock: manualClock(today) })
    const { days } = await dailyStats('?from=2026-01-01&to=2026-01-02')
    return days.map(({ uploads }) => uploads > 0)
  }
  const endOf = (count: number) => Date.UTC(2026, 0, 1 + count) - 1
  expect(await keptOn(endOf(400))).toEqual([true, true])
  expect(await keptOn(endOf(400) + 1)).toEqual([false, true])
})
