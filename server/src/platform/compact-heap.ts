/**
 * Releases memory that only the start needed. V8 would keep it, together with the enlarged space for new objects.
 * Nothing happens unless Node was started with `--expose-gc`.
 */
export function compactHeap(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
