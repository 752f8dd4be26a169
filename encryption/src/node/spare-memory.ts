import type { SpareMemory } from '../engine.ts'

/** Keeps buffers of the size that was asked for last. @param most that are kept */
export function createSpareMemory(most: number): SpareMemory {
  let size = 0
  let spare: ArrayBuffer[] = []
  return {
    take(bytes) {
      if (bytes !== size) spare = []
      size = bytes
      return spare.pop() ?? new ArrayBuffer(bytes)
    },
    giveBack(buffer) {
      if (buffer.byteLength === size && spare.length < most) spare.push(buffer)
      else buffer.transfer(0)
    },
  }
}
