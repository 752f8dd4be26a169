import { expect, test } from 'vitest'
import { uploadRoute } from './upload-route.ts'

test('the pages of an upload keep the mark and the key of its link, and nothing else', () => {
  const query = { id: 'a', file: 'b', t: '5', manifest: '1' }
  expect(uploadRoute({ query, hash: '#key=k' }, 'a', 'c')).toEqual({
    query: { id: 'a', file: 'c', manifest: '1' },
    hash: '#key=k',
  })
  expect(uploadRoute({ query, hash: '' }, 'a')).toEqual({ query: { id: 'a', manifest: '1' }, hash: '' })
  expect(uploadRoute({ query: { id: 'a' }, hash: '#manifest=1#key=k' }, 'a')).toEqual({
    query: { id: 'a' },
    hash: '#manifest=1#key=k',
  })
})
