import { sha256 } from '@noble/hashes/sha2.js'
import type { Bench } from '../../bench.ts'
import { addBytes, initialState } from '../../../../encryption/src/engine/sha256.ts'
import { wasmCompress } from '../../../../encryption/src/wasm/sha256.ts'
import { interleave, timeInSeconds } from '../../measure.ts'
import type { Case } from '../../results/rows.ts'

/** As much as a worker of the page hashes at once. */
const batchBytes = 1_048_576
const batches = 128

/** Megabytes a second. */
async function speed(hash: () => void): Promise<number> {
  const taken = await timeInSeconds(() => {
    hash()
    return Promise.resolve()
  })
  return (batchBytes * batches) / 1e6 / taken
}

/** The hash of the manifest, on one thread of the engine that Chromium has, too, against a library in JavaScript. */
export const contentHash: Case<Bench> = {
  name: 'content-hash',
  async run() {
    const batch = new Uint8Array(batchBytes).fill(0xa5)
    const compress = wasmCompress()
    if (compress === undefined) throw new Error('WebAssembly or its vectors are not available')
    const measurements = await interleave({
      baseline: () =>
        speed(() => {
          const hash = sha256.create()
          for (let batchIndex = 0; batchIndex < batches; batchIndex += 1) hash.update(batch)
          hash.digest()
        }),
      ours: () =>
        speed(() => {
          let state = initialState()
          for (let batchIndex = 0; batchIndex < batches; batchIndex += 1)
            state = addBytes(compress, state, batch, undefined)
        }),
    })
    return [
      {
        kind: 'comparison',
        what: 'SHA-256 in WebAssembly',
        unit: 'MB/s',
        ours: measurements.ours,
        baseline: { name: '@noble/hashes', measurements: measurements.baseline },
        atLeast: 1.15,
      },
    ]
  },
}
