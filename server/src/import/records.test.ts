import { expect, test } from 'vitest'
import { limits } from '@svc/contract'
import { acceptableComments } from './records.ts'

test.each([
  { character: 'a', kept: limits.commentsBytes },
  { character: 'é', kept: limits.commentsBytes / 2 },
  { character: '雪', kept: Math.floor(limits.commentsBytes / 3) },
  { character: '🙂', kept: limits.commentsBytes / 4 },
])('comments are cut to the limit in bytes, between characters: $character', ({ character, kept }) => {
  const changes: string[] = []
  const accepted = (count: number) =>
    acceptableComments(character.repeat(count), (detail) => changes.push(detail))
  expect(accepted(kept)).toBe(character.repeat(kept))
  expect(changes).toEqual([])
  expect(accepted(kept + 1)).toBe(character.repeat(kept))
  expect(changes).toEqual([`its comments were cut after ${String(limits.commentsBytes)} bytes`])
})
