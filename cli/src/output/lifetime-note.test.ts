import { expect, test } from 'vitest'
import { lifetimeNote } from './lifetime-note.ts'

const day = 86_400

test.each([
  [undefined, 30 * day, undefined],
  [day, day, undefined],
  [day, day - 1, undefined],
  [-1, -1, undefined],
  [400 * day, 30 * day, 'the server limited --ttl to 4w 2d'],
  [-1, 30 * day, 'the server limited --ttl to 4w 2d'],
  [day, 30 * day, 'the server sets --ttl itself: 4w 2d'],
  [day, -1, 'the server sets --ttl itself: unlimited'],
  [1, -1, 'the server sets --ttl itself: unlimited'],
  [0, 30 * day, '--ttl 0 is the default of the server: 4w 2d'],
  [0, -1, '--ttl 0 is the default of the server: unlimited'],
])('of %j requested seconds, %j: %s', (requested, actual, note) => {
  expect(lifetimeNote('ttl', requested, actual)).toBe(note)
})
