import type { Page } from '@svc/contract'
import { expect, test } from 'vitest'
import { createListing } from './listing.ts'

const pageOf = (...results: string[]): Page<string> => ({
  before: null,
  after: null,
  total: results.length,
  results,
})

/** A listing whose pages come when the test says so. */
function listing() {
  const requests: PromiseWithResolvers<Page<string>>[] = []
  let owner = 'ada'
  const list = createListing<string, string>({
    load: () => {
      const pending = Promise.withResolvers<Page<string>>()
      requests.push(pending)
      return pending.promise
    },
    owner: () => owner,
  })
  return { ...list, requests, become: (other: string) => (owner = other) }
}

const shown = ({ state }: ReturnType<typeof listing>) =>
  state.value.kind === 'ready' ? state.value.page.results : state.value.kind

test('a page is shown when it arrives, and stays until the next one does', async () => {
  const list = listing()
  const first = list.show('1')
  expect([shown(list), list.busy.value]).toEqual(['loading', true])
  list.requests[0]?.resolve(pageOf('a'))
  await first
  expect([shown(list), list.busy.value]).toEqual([['a'], false])
  const second = list.show('2')
  expect([shown(list), list.busy.value]).toEqual([['a'], true])
  list.requests[1]?.resolve(pageOf('b'))
  await second
  expect([shown(list), list.busy.value]).toEqual([['b'], false])
})

test('the page that was requested last is shown, in any order of responses', async () => {
  const list = listing()
  const both = [list.show('1'), list.show('2')]
  list.requests[1]?.resolve(pageOf('second'))
  await both[1]
  list.requests[0]?.resolve(pageOf('first'))
  await both[0]
  expect([shown(list), list.busy.value]).toEqual([['second'], false])
})

test('an outdated error is not shown', async () => {
  const list = listing()
  const both = [list.show('1'), list.show('2')]
  list.requests[1]?.resolve(pageOf('b'))
  await both[1]
  list.requests[0]?.reject(new Error('late'))
  await both[0]
  expect(shown(list)).toEqual(['b'])
})

test('an error is shown, and the next success clears it', async () => {
  const list = listing()
  const failing = list.show('1')
  list.requests[0]?.reject(new Error('no'))
  await failing
  expect([shown(list), list.busy.value]).toEqual(['failed', false])
  const healed = list.show('1')
  list.requests[1]?.resolve(pageOf('a'))
  await healed
  expect(shown(list)).toEqual(['a'])
})

test('a list of another user is not shown', async () => {
  const list = listing()
  const first = list.show('1')
  list.requests[0]?.resolve(pageOf('of ada'))
  await first
  list.become('bob')
  const second = list.show('1')
  expect(shown(list)).toBe('loading')
  list.requests[1]?.resolve(pageOf('of bob'))
  await second
  expect(shown(list)).toEqual(['of bob'])
})
