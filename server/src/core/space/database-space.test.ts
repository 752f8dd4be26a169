import { pino } from 'pino'
import { expect, test } from 'vitest'
import { databaseFull, unavailable } from '../../domain/errors.ts'
import { DatabaseError } from '../../metadata/dialects/errors.ts'
import { databaseSpace, ifWritable } from './database-space.ts'

interface Line {
  readonly level: number
  readonly msg: string
  readonly err?: { readonly message: string }
}

function loggedSpace() {
  const lines: Line[] = []
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as Line) })
  return { space: databaseSpace(log), lines }
}

test('a full database is full until the second heartbeat in succession', () => {
  const { space } = loggedSpace()
  expect(space.isFull()).toBe(false)
  space.report(databaseFull())
  space.heartbeatWritten()
  expect(space.isFull()).toBe(true)
  space.report(databaseFull())
  space.heartbeatWritten()
  expect(space.isFull()).toBe(true)
  space.heartbeatWritten()
  expect(space.isFull()).toBe(false)
})

test('the log has one line when the database is full, and one when it has space again', () => {
  const { space, lines } = loggedSpace()
  space.heartbeatWritten()
  space.heartbeatWritten()
  expect(lines).toEqual([])
  space.report(databaseFull())
  space.report(databaseFull())
  space.heartbeatWritten()
  space.report(databaseFull())
  expect(lines).toHaveLength(1)
  space.heartbeatWritten()
  space.heartbeatWritten()
  space.heartbeatWritten()
  expect(lines).toEqual([
    expect.objectContaining({
      level: 50,
      msg: 'the database has no space left: nothing can be changed',
      err: expect.objectContaining({ message: databaseFull().message }) as unknown,
    }),
    expect.objectContaining({ level: 40, msg: 'the database has space again' }),
  ])
})

test.each([
  ['another failure', unavailable('the database')],
  ['a bug', new TypeError('no')],
])('%s does not make the database full', (_name, error) => {
  const { space } = loggedSpace()
  space.report(error)
  expect(space.isFull()).toBe(false)
})

test('an optional change may fail only for lack of space, or because nothing can be written', async () => {
  const databaseSpace = loggedSpace().space
  await ifWritable({ databaseSpace }, () => Promise.resolve('done'))
  await ifWritable({ databaseSpace }, () => Promise.reject(databaseFull()))
  await ifWritable({ databaseSpace }, () => Promise.reject(new DatabaseError('read-only', new Error('no'))))
  await expect(
    ifWritable({ databaseSpace }, () => Promise.reject(unavailable('the database'))),
  ).rejects.toMatchObject({ code: 'unavailable' })
})

test('an optional change is not tried while the database accepts no writes', async () => {
  const databaseSpace = loggedSpace().space
  let changes = 0
  const change = () => Promise.resolve((changes += 1))
  databaseSpace.report(new DatabaseError('read-only', new Error('no')))
  await ifWritable({ databaseSpace }, change)
  expect(changes).toBe(0)
  databaseSpace.heartbeatWritten()
  await ifWritable({ databaseSpace }, change)
  expect(changes).toBe(1)
})

test('a database that refuses a write is read-only until the next heartbeat, and the log has a line for each', () => {
  const { space, lines } = loggedSpace()
  const standby = new DatabaseError(
    'read-only',
    new Error('cannot execute UPDATE in a read-only transaction'),
  )
  space.report(standby)
  space.report(standby)
  expect([space.isReadOnly(), space.isFull()]).toEqual([true, false])
  space.heartbeatWritten()
  space.heartbeatWritten()
  expect(space.isReadOnly()).toBe(false)
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [50, 'the database accepts no writes: nothing can be changed'],
    [40, 'the database accepts writes again'],
  ])
})

test('a full database that becomes a standby stays full', () => {
  const { space } = loggedSpace()
  space.report(databaseFull())
  space.report(new DatabaseError('read-only', new Error('no')))
  expect([space.isReadOnly(), space.isFull()]).toEqual([false, true])
})
