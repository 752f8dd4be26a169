import { expect, test } from 'vitest'
import type { DownloadRecord } from '../../domain/records.ts'
import { DatabaseError } from '../../metadata/dialects/errors.ts'
import { activityLog } from './activity-log.ts'

const client = { userAgent: 'curl/8', clientApp: undefined, address: '192.0.2.1' }

function newLog(withAddresses = false) {
  const written: (readonly DownloadRecord[])[] = []
  const failures: ('lost' | 'undecided')[] = []
  let now = 0
  const activity = activityLog({
    clock: { now: () => now, every: () => () => undefined },
    random: (into) => crypto.getRandomValues(into),
    log: { warn: () => undefined },
    withAddresses,
    add: (rows) => {
      const failure = failures.shift()
      if (failure !== undefined) return Promise.reject(new DatabaseError(failure, new Error('unavailable')))
      written.push(rows)
      return Promise.resolve()
    },
  })
  return {
    activity,
    written,
    failures,
    /** Downloads of an upload, the bytes of which are their numbers. */
    record: (uploadId: string, count: number) => {
      for (let bytes = 0; bytes < count; bytes++) {
        now += 1
        activity.record({ uploadId, fileId: 'f', client }, bytes, 'whole')
      }
    },
  }
}

test('downloads are written together, with their times, and once', async () => {
  const { activity, written, record } = newLog()
  record('a', 2)
  record('b', 1)
  await activity.write()
  await activity.write()
  expect(
    written.map((rows) => rows.map(({ uploadId, endedAt, bytes }) => [uploadId, endedAt, bytes])),
  ).toEqual([
    [
      ['a', 1, 0],
      ['a', 2, 1],
      ['b', 3, 0],
    ],
  ])
})

test('of many downloads of an upload, the newest are written', async () => {
  const { activity, written, record } = newLog()
  record('a', 1_000)
  record('b', 1)
  await activity.write()
  const bytes = written.flat().filter(({ uploadId }) => uploadId === 'a')
  expect(bytes.map((row) => row.bytes).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 200 }, (_, index) => 800 + index),
  )
  expect(written.flat().filter(({ uploadId }) => uploadId === 'b')).toHaveLength(1)
})

test('the number of waiting downloads is limited, and each transaction is small', async () => {
  const { activity, written, record } = newLog()
  for (let upload = 0; upload < 6_000; upload++) record(String(upload), 1)
  await activity.write()
  expect(written.flat()).toHaveLength(2_500)
  expect(Math.max(...written.map((rows) => rows.length))).toBe(500)
  record('later', 1)
  await activity.write()
  expect(written.at(-1)?.map(({ uploadId }) => uploadId)).toEqual(['later'])
})

test('downloads stay for the next write when the database is unavailable', async () => {
  const { activity, written, failures, record } = newLog()
  record('a', 2)
  failures.push('lost')
  await activity.write()
  expect(written).toEqual([])
  record('a', 1)
  await activity.write()
  expect(written.flat()).toHaveLength(3)
})

test('a write that may have succeeded is not repeated', async () => {
  const { activity, written, failures, record } = newLog()
  record('a', 2)
  failures.push('undecided')
  await activity.write()
  await activity.write()
  expect(written).toEqual([])
})

test('addresses are stored on request only', async () => {
  for (const withAddresses of [false, true]) {
    const { activity, written, record } = newLog(withAddresses)
    record('a', 1)
    await activity.write()
    expect(written.flat().map(({ address, client }) => [address, client])).toEqual([
      [withAddresses ? '192.0.2.1' : null, 'curl'],
    ])
  }
})
