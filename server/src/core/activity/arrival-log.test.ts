import { expect, test } from 'vitest'
import { DatabaseError } from '../../metadata/dialects/errors.ts'
import { arrivalLog, type Arrival } from './arrival-log.ts'

const hour = 3_600_000

function newLog() {
  const written: (readonly Arrival[])[] = []
  const failures: ('lost' | 'undecided')[] = []
  let now = 0
  const log = arrivalLog({
    clock: { now: () => now, every: () => () => undefined },
    log: { warn: () => undefined },
    publish: (arrivals) => {
      const failure = failures.shift()
      if (failure !== undefined) return Promise.reject(new DatabaseError(failure, new Error('unavailable')))
      written.push(arrivals)
      return Promise.resolve()
    },
  })
  return {
    ...log,
    written,
    failures,
    arrive: (id: string, at = now, requestId: string | null = 'r') => {
      now = at
      log.record({ id, requestId, createdAt: 0 })
    },
  }
}

test('an upload is written once an hour, with the time of its first file', async () => {
  const { arrive, write, written } = newLog()
  for (const at of [1, 2]) arrive('a', at)
  arrive('b', 3)
  await write()
  arrive('a', hour - 1)
  await write()
  for (const at of [hour, hour + 1]) arrive('a', at)
  await write()
  await write()
  expect(
    written.map((rows) => rows.map(({ uploadId, arrivedAt, period }) => [uploadId, arrivedAt, period])),
  ).toEqual([
    [
      ['a', 1, 0],
      ['b', 3, 0],
    ],
    [['a', hour, 1]],
  ])
})

test('uploads outside an upload request are left out', async () => {
  const { arrive, write, written } = newLog()
  arrive('a', 1, null)
  await write()
  expect(written).toEqual([])
})

test('at most 2,500 uploads wait for a write', async () => {
  const { arrive, write, written } = newLog()
  for (let upload = 0; upload < 2_501; upload++) arrive(String(upload))
  await write()
  expect(written.flat()).toHaveLength(2_500)
})

test('a transaction writes at most 500 uploads', async () => {
  const { arrive, write, written } = newLog()
  for (let upload = 0; upload < 501; upload++) arrive(String(upload))
  await write()
  expect(written.map((rows) => rows.length)).toEqual([500, 1])
})

test('arrivals stay for the next write when the database is unavailable, unless the failed write may have succeeded', async () => {
  const { arrive, write, written, failures } = newLog()
  arrive('a')
  failures.push('lost')
  await write()
  arrive('b')
  await write()
  expect(written.flat().map(({ uploadId }) => uploadId)).toEqual(['a', 'b'])
  arrive('c')
  failures.push('undecided')
  await write()
  await write()
  expect(written.flat()).toHaveLength(2)
})
