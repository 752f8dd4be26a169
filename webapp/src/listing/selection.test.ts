import { shallowRef } from 'vue'
import { expect, test } from 'vitest'
import { createSelection } from './selection.ts'

function selection(...ids: string[]) {
  const page = shallowRef<readonly string[]>(ids)
  return { page, ...createSelection(() => page.value) }
}

test('rows are selected one by one, and listed in the order of the page', () => {
  const { chosen, set, all, has } = selection('a', 'b', 'c')
  set('c', true)
  set('a', true)
  expect([chosen.value, all.value, has('a'), has('b')]).toEqual([['a', 'c'], false, true, false])
  set('a', false)
  expect(chosen.value).toEqual(['c'])
})

test('all rows of a page can be selected and deselected', () => {
  const { chosen, all, setAll, clear } = selection('a', 'b')
  setAll(true)
  expect([chosen.value, all.value]).toEqual([['a', 'b'], true])
  setAll(false)
  expect(chosen.value).toEqual([])
  setAll(true)
  clear()
  expect([chosen.value, all.value]).toEqual([[], false])
})

test('a row that left the page is no longer selected', () => {
  const { page, chosen, all, set } = selection('a', 'b')
  set('a', true)
  page.value = ['b', 'c']
  expect([chosen.value, all.value]).toEqual([[], false])
})

test('an empty page is not fully selected', () => {
  expect(selection().all.value).toBe(false)
})
