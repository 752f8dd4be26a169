import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SentUpload } from './sent-upload.ts'
import { forgetOldContents, sentContents } from './sent-contents.ts'

/** The storage of a browser: its items are its properties. */
function stubStorage(): Record<string, string> {
  const items: Record<string, string> = {}
  const methods = {
    getItem: (key: string) => items[key] ?? null,
    setItem: (key: string, value: string) => (items[key] = value),
    removeItem: (key: string) => Reflect.deleteProperty(items, key),
  }
  const storage = new Proxy(items, {
    get: (target, name): unknown => Reflect.get(methods, name) ?? Reflect.get(target, name),
  })
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('document', { baseURI: 'https://x.example/share/' })
  return items
}
let items: Record<string, string>
beforeEach(() => {
  items = stubStorage()
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const listed: SentUpload = {
  id: 'listed',
  createdAt: '2026-12-01T12:00:00Z',
  expireAt: null,
  files: [],
  fileCount: 1,
  oneShot: false,
  stream: false,
  encrypted: true,
}

const file = (id: string) => ({ id, name: `${id}.txt`, size: 3, sha256: id.repeat(64) })

test('contents of an upload outlive the page, and those of two tabs are together', () => {
  sentContents('upload').add(file('a'))
  sentContents('upload').add(file('b'))
  sentContents('other').add(file('c'))
  expect([...sentContents('upload').all().values()]).toEqual([file('a'), file('b')])
})

test('they are forgotten after the manifest, without those of other uploads', () => {
  sentContents('upload').add(file('a'))
  sentContents('other').add(file('c'))
  sentContents('upload').forget()
  expect(sentContents('upload').all().size).toBe(0)
  expect(sentContents('other').all().size).toBe(1)
})

test('damaged items are ignored', () => {
  sentContents('upload').add(file('a'))
  const [key = ''] = Object.keys(items)
  items[`${key}1`] = '{'
  items[`${key}2`] = '{"name":1}'
  expect([...sentContents('upload').all().keys()]).toEqual(['a'])
})

test('without a storage, they last for the page', () => {
  vi.stubGlobal('localStorage', undefined)
  const contents = sentContents('upload')
  contents.add(file('a'))
  expect([...contents.all().values()]).toEqual([file('a')])
})

test('those of uploads that are not in the list any more are removed', () => {
  sentContents('upload').add(file('a'))
  sentContents('listed').add(file('b'))
  forgetOldContents({ find: (id) => (id === 'listed' ? listed : undefined) })
  expect([...sentContents('upload').all()]).toEqual([])
  expect([...sentContents('listed').all().keys()]).toEqual(['b'])
})
