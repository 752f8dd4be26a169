import { beforeEach, expect, test } from 'vitest'
import { hasKeptForm, useKeptForm } from './kept-form.ts'

const initial = { title: '', days: 7, encrypt: true }
const open = (owner: string) => useKeptForm('request', owner, initial)

/** The storage of a tab, which Node does not have. */
const items = new Map<string, string>()
beforeEach(() => {
  items.clear()
  Object.defineProperty(globalThis, 'sessionStorage', {
    configurable: true,
    value: {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    },
  })
})

test('what was typed is there when the form opens again, until it is sent', () => {
  const before = open('ada')
  before.form.value = { ...before.form.value, title: 'Photos' }
  const after = open('ada')
  expect(after.wasKept).toBe(true)
  expect(after.form.value).toEqual({ ...initial, title: 'Photos' })
  after.reset()
  expect(hasKeptForm('request', 'ada')).toBe(false)
  expect(open('ada').form.value).toEqual(initial)
})

test('a form as it began is not kept', () => {
  const { form } = open('ada')
  form.value = { ...form.value, title: 'P' }
  form.value = { ...form.value, title: '' }
  expect(items.size).toBe(0)
})

test('another user does not see it; a guest who signs in does', () => {
  open('ada').form.value = { ...initial, title: 'of Ada' }
  expect(open('bob').form.value).toEqual(initial)
  expect(open('').form.value).toEqual(initial)
  open('').form.value = { ...initial, title: 'of a guest' }
  expect(open('bob').form.value.title).toBe('of a guest')
})

test.for(['{', 'null', '1', '{"owner":"ada"}', '{"owner":"ada","form":null}'])(
  'a damaged item %s is ignored',
  (stored) => {
    items.set('svc-form request', stored)
    expect(open('ada').form.value).toEqual(initial)
  },
)

test('fields of another version of the page are left out', () => {
  items.set('svc-form request', JSON.stringify({ owner: 'ada', form: { title: 'T', days: '7', other: 1 } }))
  expect(open('ada').form.value).toEqual({ ...initial, title: 'T' })
})
