import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  firstPage,
  readUploadView,
  uploadRouteQuery,
  uploadFilters,
  uploadOrders,
  uploadListQuery,
  withFilter,
  type UploadOrder,
  type UploadView,
} from './upload-query.ts'

test('an empty URL lists the newest uploads', () => {
  const view = readUploadView({})
  expect(view).toEqual({ order: 'newest', filters: [] })
  expect(uploadRouteQuery(view)).toEqual({})
  expect(uploadListQuery(view)).toEqual({ limit: 20, sort: 'date', order: 'desc' })
})

test('invalid values in a URL are ignored', () => {
  const view = readUploadView({
    sort: 'constructor',
    oneShot: 'false',
    e2ee: ['true', 'false'],
    nonsense: 'true',
    after: '',
    before: null,
  })
  expect(view).toEqual({ order: 'newest', filters: ['e2ee'] })
})

test('the request has the values of the URL', () => {
  const view = readUploadView({
    sort: 'smallest',
    stream: 'true',
    user: 'local:ada',
    token: 'Ab3',
    after: 'c1',
  })
  expect(uploadListQuery(view, 'svct_1')).toEqual({
    limit: 20,
    sort: 'size',
    order: 'asc',
    stream: true,
    user: 'local:ada',
    after: 'c1',
    token: 'svct_1',
  })
})

test('a written URL is parsed as the same view', () => {
  const text = fc.string({ minLength: 1 })
  const views: fc.Arbitrary<UploadView> = fc.record(
    {
      order: fc.constantFrom(...(Object.keys(uploadOrders) as UploadOrder[])),
      filters: fc.subarray([...uploadFilters]),
      user: text,
      tokenEnd: text,
      before: text,
      after: text,
    },
    { requiredKeys: ['order', 'filters'] },
  )
  fc.assert(
    fc.property(views, (view) => {
      const written = new URLSearchParams(uploadRouteQuery(view) as Record<string, string>)
      expect(readUploadView(Object.fromEntries(written))).toEqual(view)
    }),
  )
})

test('another filter starts at the first page, in a fixed order', () => {
  const view: UploadView = { order: 'largest', filters: ['stream'], user: 'u', after: 'c' }
  const more = withFilter(view, 'oneShot', true)
  expect(more).toEqual({ order: 'largest', filters: ['oneShot', 'stream'], user: 'u' })
  expect(withFilter(more, 'stream', false).filters).toEqual(['oneShot'])
  expect(withFilter(more, 'oneShot', true)).toEqual(more)
  expect(firstPage({ ...view, before: 'b' })).toEqual({ order: 'largest', filters: ['stream'], user: 'u' })
})
