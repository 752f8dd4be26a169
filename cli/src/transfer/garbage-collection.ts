import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { readonly type: 'minor' }) => void

/** Bytes between two collections. */
const everyBytes = 16 * 1024 * 1024

/**
 * Each read of a transfer makes a buffer that is garbage at once, and the runtime lets a hundred megabytes of them
 * gather. To collect the young ones now and then takes a millisecond.
 * @returns a function to call with the bytes of each transfer
 */
export function createGarbageCollection(): (bytes: number) => void {
  let moved = 0
  let collect: Collect | undefined
  return (bytes) => {
    moved += bytes
    if (moved < everyBytes) return
    moved = 0
    collect ??= exposed()
    collect({ type: 'minor' })
  }
}

function exposed(): Collect {
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('globalThis.gc')
  return typeof found === 'function' ? (found as Collect) : () => undefined
}
