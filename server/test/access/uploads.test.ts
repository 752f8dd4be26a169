import { expect, test } from 'vitest'
import { routes } from '../../src/http/routes.ts'
import { requestBuilders } from './requests/requests.ts'
import { testBlocks } from './scenarios.ts'
import { uploads } from './tables/uploads.ts'

testBlocks(uploads)

test('the tables have every endpoint', () => {
  const known = new Set(Object.keys(requestBuilders).map((label) => label.split(' ')[0]))
  expect(routes.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([])
})
