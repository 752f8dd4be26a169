/** Wakes all functions that wait for a change. */
export interface Notifier {
  /** Resolves at the next `notify`. */
  readonly wait: () => Promise<undefined>
  readonly notify: () => void
}

export function createNotifier(): Notifier {
  let next = Promise.withResolvers<undefined>()
  return {
    wait: () => next.promise,
    notify() {
      next.resolve(undefined)
      next = Promise.withResolvers()
    },
  }
}
