import { ApiError } from '@svc/sdk'
import { expect, test } from 'vitest'
import { removeUploads } from './remove-uploads.ts'

const ids = Array.from({ length: 12 }, (_, index) => String(index))

test('every upload is removed once, five at a time', async () => {
  const removed: string[] = []
  let under = 0
  let most = 0
  const result = await removeUploads(ids, async (id) => {
    most = Math.max(most, (under += 1))
    await Promise.resolve()
    removed.push(id)
    under -= 1
  })
  expect({ result, most, removed: removed.toSorted() }).toEqual({
    result: { removed: ids, failed: 0 },
    most: 5,
    removed: ids.toSorted(),
  })
})

test('a missing upload counts as removed; an error is reported and stops no other removal', async () => {
  const forbidden = new ApiError(403, 'not_allowed', 'no')
  const result = await removeUploads(ids, (id) => {
    if (id === '3') return Promise.reject(new ApiError(404, 'upload_not_found', 'gone'))
    return id === '7' ? Promise.reject(forbidden) : Promise.resolve()
  })
  expect(result).toEqual({
    removed: ids.filter((id) => id !== '7'),
    failed: 1,
    error: forbidden,
  })
})

test('an empty selection sends no requests', async () => {
  expect(await removeUploads([], () => Promise.reject(new Error('never')))).toEqual({
    removed: [],
    failed: 0,
  })
})
