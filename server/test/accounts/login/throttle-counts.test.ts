import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { throttle, type Attempt } from '../../../src/core/accounts/throttle.ts'
import { tooManyAttempts } from '../../../src/domain/errors.ts'
import { sqliteDialect } from '../../../src/metadata/dialects/sqlite/sqlite.ts'
import { openMetadataStore, type OpenMetadataStore } from '../../../src/metadata/store.ts'
import { manualClock } from '../../support/clocks/manual-clock.ts'

let directory: string
let store: OpenMetadataStore
const clock = manualClock()
let address: string
let network = 0
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svcd-throttle-'))
  store = await openMetadataStore(sqliteDialect(join(directory, 'svc.db')))
})
beforeEach(() => {
  address = `192.0.2.${String((network += 1))}`
})
afterAll(async () => {
  await store.close()
  await rm(directory, { recursive: true })
})

const wrong = () => Promise.resolve(false)
const right = () => Promise.resolve(true)

/** The result of an attempt, or its error. */
const attempt = (check: () => Promise<boolean> = wrong, other: Partial<Attempt> = {}) =>
  throttle({ clock, store }, { kind: 'login', subject: 'ann', address, ...other }, check).catch(
    (error: unknown) => error,
  )
async function attempts(count: number, check?: () => Promise<boolean>, other?: Partial<Attempt>) {
  const results: unknown[] = []
  for (let n = 0; n < count; n++) results.push(await attempt(check, other))
  return results
}
const times = (count: number, result: unknown) => Array.from({ length: count }, () => result)

test('ten wrong attempts are checked, and the next one is not', async () => {
  expect(await attempts(11)).toEqual([...times(10, false), tooManyAttempts(300)])
  let isChecked = false
  const check = () => {
    isChecked = true
    return right()
  }
  expect([await attempt(check), isChecked]).toEqual([tooManyAttempts(300), false])
})

test('a window ends five minutes after its first attempt, to the millisecond', async () => {
  await attempts(10)
  clock.advance(299_999)
  expect(await attempt()).toEqual(tooManyAttempts(1))
  clock.advance(1)
  expect(await attempts(11)).toEqual([...times(10, false), tooManyAttempts(300)])
})

test('attempts that are refused for their subject do not count for the address', async () => {
  await attempts(110)
  for (let n = 0; n < 90; n++) expect(await attempt(wrong, { subject: String(n) })).toBe(false)
  expect(await attempt(wrong, { subject: 'next' })).toEqual(tooManyAttempts(300))
})

test('correct attempts count neither for the subject nor for the address', async () => {
  await attempts(9)
  expect(await attempts(100, right)).toEqual(times(100, true))
  expect(await attempts(11)).toEqual([...times(10, false), tooManyAttempts(300)])
})

test('attempts whose check fails with an error count neither for the subject nor for the address', async () => {
  const failure = new Error('the database is unreachable')
  const failing = () => Promise.reject(failure)
  expect(await attempts(101, failing)).toEqual(times(101, failure))
  expect(await attempts(11)).toEqual([...times(10, false), tooManyAttempts(300)])
  expect(await attempt(wrong, { subject: 'other' })).toBe(false)
})

test('a hundred wrong attempts of an address are checked, and the next one is not', async () => {
  for (let n = 0; n < 100; n++) expect(await attempt(wrong, { subject: String(n) })).toBe(false)
  expect(await attempt(wrong, { subject: 'next' })).toEqual(tooManyAttempts(300))
  expect(await attempt(wrong, { subject: 'next', address: '198.51.100.1' })).toBe(false)
})

test('another kind of attempt is counted separately', async () => {
  await attempts(10)
  expect(await attempt(wrong, { kind: 'upload password' })).toBe(false)
})

test('an attempt whose window another one starts at the same moment is counted in it', async () => {
  const { attempts: counts } = store
  const startWindow = async (key: string, until: number) => {
    await counts.startWindow(key, until)
    return counts.startWindow(key, until)
  }
  const racing = { ...store, attempts: { ...counts, startWindow } }
  const late: Attempt = { kind: 'login', subject: 'ann', address }
  expect(await throttle({ clock, store: racing }, late, wrong)).toBe(false)
  expect(await attempts(9)).toEqual([...times(8, false), tooManyAttempts(300)])
})
