/** Wakes whoever waits for something that has changed. */
export interface Wakeup {
  /** Resolves at the next `ring`. */
  readonly rung: () => Promise<undefined>
  readonly ring: () => void
}

export function createWakeup(): Wakeup {
  let next = Promise.withResolvers<undefined>()
  return {
    rung: () => next.promise,
    ring() {
      next.resolve(undefined)
      next = Promise.withResolvers()
    },
  }
}
