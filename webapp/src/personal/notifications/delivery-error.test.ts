import { deliveryErrors } from '@svc/contract'
import { expect, test } from 'vitest'
import { deliveryErrorOf } from './delivery-error.ts'

test('each text of the server has its kind, and one of a newer server is any other error', () => {
  expect(Object.values(deliveryErrors).map(deliveryErrorOf)).toEqual(Object.keys(deliveryErrors))
  expect(deliveryErrorOf('the target is on fire')).toBe('other')
})
