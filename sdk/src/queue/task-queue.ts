/**
 * Runs tasks in order, a limited number at a time.
 * @param limit maximum number of concurrent tasks
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
    /** @param task must not reject: it records its failure itself */
    add: (task: () => Promise<void>) => {
      waiting.push(task)
      next()
    },
  }
}
