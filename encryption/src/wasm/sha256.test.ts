import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { someBytes } from '../../test/bytes.ts'
import { addBytes, hexOf, initialState, jsCompress } from '../engine/sha256.ts'
import { wasmCompress } from './sha256.ts'

const compressInWasm = wasmCompress()
if (compressInWasm === undefined) throw new Error('Node has WebAssembly')

const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

test.for([
  ['JavaScript', jsCompress],
  ['WebAssembly', compressInWasm],
] as const)('SHA-256 in %s is that of OpenSSL', ([, compress]) => {
  for (const size of [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 65_535, 65_536, 65_600, 200_000]) {
    const content = someBytes(size)
    expect(hexOf(addBytes(compress, initialState(), content, size))).toBe(hashOf(content))
  }
})

test('a content is hashed in parts of whole blocks', () => {
  const content = someBytes(5000)
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(78)), (cuts) => {
      let state = initialState()
      let start = 0
      for (const cut of cuts.toSorted((a, b) => a - b)) {
        state = addBytes(compressInWasm, state, content.subarray(start, cut * 64), undefined)
        start = cut * 64
      }
      state = addBytes(compressInWasm, state, content.subarray(start), content.length)
      expect(hexOf(state)).toBe(hashOf(content))
    }),
    { numRuns: 50 },
  )
})
