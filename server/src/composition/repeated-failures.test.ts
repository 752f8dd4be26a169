import { pino, type Level } from 'pino'
import { expect, test } from 'vitest'
import { unavailable } from '../domain/errors.ts'
import { repeatedFailures } from './repeated-failures.ts'

interface Line {
  readonly level: number
  readonly msg: string
  readonly reason?: string
  readonly err?: { readonly stack?: string }
  readonly repeats?: number
}

/** A log, its lines, and the time that it reads. */
function logWith(level: Level = 'info') {
  const lines: Line[] = []
  const time = { now: 0 }
  const hooks = { logMethod: repeatedFailures(() => time.now) }
  const log = pino({ level, hooks }, { write: (line) => void lines.push(JSON.parse(line) as Line) })
  return { log, lines, time }
}

const outage = () => unavailable('the database', new Error('connect ECONNREFUSED'))

test('an outage is logged once a minute, with its reasons and the number of repeats', () => {
  const { log, lines, time } = logWith()
  for (time.now = 0; time.now <= 60_000; time.now += 5_000) log.warn({ err: outage() }, 'not read, retrying')
  const reason = 'the database cannot be reached right now: try again: connect ECONNREFUSED'
  expect(lines).toEqual([
    expect.objectContaining({ level: 40, msg: 'not read, retrying', reason }),
    expect.objectContaining({ level: 40, msg: 'not read, retrying', reason, repeats: 11 }),
  ])
})

test('the level debug has every line, with the stack', () => {
  const { log, lines } = logWith('debug')
  log.warn({ err: outage() }, 'failed')
  log.warn({ err: outage() }, 'failed')
  expect(lines.map(({ level }) => level)).toEqual([40, 20])
  expect(lines[1]?.err?.stack).toContain('\n')
})

test('other messages, routes and reasons are logged each', () => {
  const { log, lines } = logWith()
  const failed = (route: string, err: Error = outage()) => {
    log.error({ err, route, code: 'unavailable' }, 'request failed')
  }
  failed('/a')
  failed('/b')
  failed('/b', new Error('connect ETIMEDOUT'))
  failed('/b')
  log.error({ err: outage() }, 'cleanup failed')
  expect(lines).toHaveLength(4)
})

test('a change of a state is logged each time', () => {
  const { log, lines } = logWith()
  for (const _ of [1, 2]) {
    log.error({ err: outage() }, 'not ready')
    log.warn('ready again')
  }
  expect(lines.map(({ msg, err }) => [msg, err])).toEqual([
    ['not ready', undefined],
    ['ready again', undefined],
    ['not ready', undefined],
    ['ready again', undefined],
  ])
})

test('other failures keep every line and their stack', () => {
  const { log, lines } = logWith()
  const bug = new Error('a bug')
  log.error({ err: bug, code: 'internal_error' }, 'request failed')
  log.error({ err: bug, code: 'internal_error' }, 'request failed')
  log.warn('a text')
  expect(lines.map(({ err }) => err?.stack)).toEqual([bug.stack, bug.stack, undefined])
})
