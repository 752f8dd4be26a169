import { expect, test } from 'vitest'
import { swipeOf } from './swipe.ts'

test.for([
  ['to the left', { x: 100, y: 220 }, 'left'],
  ['to the right', { x: 290, y: 190 }, 'right'],
  ['a short way', { x: 170, y: 200 }, undefined],
  ['down', { x: 195, y: 500 }, undefined],
  ['obliquely', { x: 100, y: 260 }, undefined],
] as const)('a finger that moves %s', ([, to, direction]) => {
  expect(swipeOf({ x: 200, y: 200 }, to)).toBe(direction)
})
