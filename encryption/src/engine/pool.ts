import type { Batch } from './batch.ts'
import type { ScryptWork } from './engine.ts'

/** What a thread is asked for. */
export type Task =
  | { readonly kind: 'seal' | 'open'; readonly key: Uint8Array<ArrayBuffer>; readonly batch: Batch }
  | ({ readonly kind: 'scrypt' } & ScryptWork)

/** What a thread answers: the buffer of a batch, and how many chunks of it were opened; or the bytes of a key. */
export interface TaskResult {
  readonly buffer: ArrayBuffer
  readonly opened: number
}

/** How a thread and its owner talk: one message for each task, answered in turn. */
export type ThreadResult = TaskResult | { readonly error: string }

/** A thread, as the environment provides it. */
export interface Thread {
  readonly post: (task: Task, transfer: ArrayBuffer[]) => void
  readonly end: () => Promise<unknown>
}

export interface ThreadEvents {
  readonly answered: (answer: ThreadResult) => void
  /** The thread is gone, or never came about. */
  readonly broke: (error: Error) => void
}

interface QueuedTask {
  readonly resolve: (answer: TaskResult) => void
  readonly reject: (error: Error) => void
}

interface PoolThread {
  readonly thread: Thread
  readonly waiting: QueuedTask[]
}

export interface Pool {
  readonly run: (task: Task) => Promise<TaskResult>
  readonly end: () => Promise<void>
}

/**
 * Some threads, started when there is something to do; each task goes to the one with the least before it.
 * @param size most threads
 */
export function createPool(size: number, start: (events: ThreadEvents) => Thread): Pool {
  const hands: PoolThread[] = []

  function hire(): PoolThread {
    const waiting: QueuedTask[] = []
    const thread = start({
      answered: (answer) => {
        const task = waiting.shift()
        if ('error' in answer) task?.reject(new Error(answer.error))
        else task?.resolve(answer)
      },
      broke: (error) => {
        const index = hands.indexOf(hand)
        if (index !== -1) hands.splice(index, 1)
        for (const task of waiting.splice(0)) task.reject(error)
      },
    })
    const hand = { thread, waiting }
    hands.push(hand)
    return hand
  }

  function leastBusy(): PoolThread {
    const [best] = hands.toSorted((a, b) => a.waiting.length - b.waiting.length)
    return best === undefined || (best.waiting.length > 0 && hands.length < size) ? hire() : best
  }

  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        const { thread, waiting } = leastBusy()
        waiting.push({ resolve, reject })
        thread.post(task, task.kind === 'scrypt' ? [] : [task.batch.buffer])
      }),
    end: async () => {
      const ended = hands.splice(0)
      for (const { waiting } of ended) {
        for (const task of waiting.splice(0)) task.reject(new Error('the engine was closed'))
      }
      await Promise.all(ended.map(({ thread }) => thread.end()))
    },
  }
}
