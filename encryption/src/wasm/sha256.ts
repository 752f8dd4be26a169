import { instantiate, pageBytes } from '@svc/assembler'
import { blockBytes, type CompressBlocks } from '../engine/sha256.ts'
import { addBlocks, blocksAt } from './sha256-blocks.ts'

/** Bytes of blocks in the memory of the module. */
const maxBytes = pageBytes

const instantiateHash = () =>
  instantiate<'addBlocks'>([addBlocks], Math.ceil((blocksAt + maxBytes) / pageBytes))

/**
 * SHA-256 in WebAssembly with vectors.
 * @returns undefined where WebAssembly or its vectors are not available
 */
export function wasmCompress(): CompressBlocks | undefined {
  let module: ReturnType<typeof instantiateHash>
  try {
    module = instantiateHash()
  } catch {
    return undefined
  }
  const { buffer } = module.memory
  const words = new Uint32Array(buffer, 0, 8)
  return (state, blocks) => {
    words.set(state)
    for (let start = 0; start < blocks.length; start += maxBytes) {
      const part = blocks.subarray(start, start + maxBytes)
      new Uint8Array(buffer, blocksAt, part.length).set(part)
      module.addBlocks(blocksAt, part.length / blockBytes)
    }
    state.set(words)
  }
}
