import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFrom } from '../base/byte-source.ts'
import { concat } from '../base/bytes.ts'
import { armored, withoutArmor } from './armor.ts'

async function unarmored(text: string): Promise<Uint8Array> {
  const reader = await withoutArmor(readFrom(new Blob([text]).stream()))
  const pieces: Uint8Array[] = []
  for (let piece = await reader.pull(); piece !== undefined; piece = await reader.pull()) pieces.push(piece)
  return concat(pieces)
}

test('armor is read back, for each length of its last line', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 500 }), async (bytes) => {
      const text = armored(bytes)
      expect(text.split('\n').every((line) => line.length <= 64)).toBe(true)
      expect(await unarmored(text)).toEqual(bytes)
    }),
  )
})
