import { expect, test } from 'vitest'
import { limitedZoom, zoomAbove, zoomBelow } from './zoom-steps.ts'

test.for([
  [0.23, 0.5],
  [0.5, 0.75],
  [1, 1.5],
  [3.9, 4],
  [4, 4],
] as const)('the zoom above %f is %f: no step is too small to see', ([shown, next]) => {
  expect(zoomAbove(shown)).toBe(next)
})

test.for([
  [4, 1, 3],
  [1.5, 1, undefined],
  [1, 0.23, 0.75],
  [0.5, 0.23, undefined],
] as const)('the zoom below %f of an image that fits at %f is %o', ([shown, fitted, next]) => {
  expect(zoomBelow(shown, fitted)).toBe(next)
})

test.for([
  [0.2, undefined],
  [0.3, 0.3],
  [9, 4],
] as const)('a zoom of %f by wheel or pinch is limited to %o', ([zoom, limited]) => {
  expect(limitedZoom(zoom, 0.25)).toBe(limited)
})
