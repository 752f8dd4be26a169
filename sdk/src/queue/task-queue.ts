/**
 * Runs tasks, at most some at once, in the order they came.
 * @param limit how many may run at once
 */
export function createTaskQueue(limit: number) {
  const waiting: (() => Promise<void>)[] = []
  let running = 0
  const next = () => {
    const task = running < limit ? waiting.shift() : undefined
    if (!task) return
    running += 1
    void run(task)
    next()
  }
  const run = async (task: () => Promise<void>) => {
    try {
      await task()
    } finally {
      running -= 1
      next()
    }
  }
  return {
    /** @param task records its own failure; it must not reject */
    add: (task: () => Promise<void>) => {
      waiting.push(task)
      next()
    },
  }
}
