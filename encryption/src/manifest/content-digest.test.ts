import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createContentDigest } from './content-digest.ts'

test('a content in pieces has the size and the SHA-256 of the whole', () => {
  const content = randomBytes(3000)
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: content.length })), (cuts) => {
      const digest = createContentDigest()
      const places = [0, ...cuts.toSorted((a, b) => a - b), content.length]
      for (const [index, start] of places.entries())
        digest.update(content.subarray(start, places[index + 1] ?? start))
      digest.update(new Uint8Array())
      expect(digest.end()).toEqual({
        size: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      })
    }),
    { numRuns: 30 },
  )
})
