import { pino } from 'pino'
import { expect, test } from 'vitest'
import { databaseFull, unavailable } from '../../domain/errors.ts'
import { databaseSpace, unlessFull } from './database-space.ts'

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

test('an optional change may fail only for lack of space', async () => {
  await unlessFull(Promise.resolve('done'))
  await unlessFull(Promise.reject(databaseFull()))
  await expect(unlessFull(Promise.reject(unavailable('the database')))).rejects.toMatchObject({
    code: 'unavailable',
  })
})
