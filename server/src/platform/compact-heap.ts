/**
 * Gives back memory that only the start needed: V8 would keep it, and with it spaces for new objects that it grew.
 * Nothing happens unless Node was started with `--expose-gc`.
 */
export function compactHeap(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
