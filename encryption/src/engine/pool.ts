import type { Batch } from './batch.ts'
import type { HashedBytes, ScryptWork } from './engine.ts'
import type { Sha256State } from './sha256.ts'

/** The task of a thread. */
export type Task =
  | { readonly kind: 'encrypt' | 'decrypt'; readonly key: Uint8Array<ArrayBuffer>; readonly batch: Batch }
  | { readonly kind: 'hash'; readonly state: Sha256State; readonly batch: HashedBytes }
  | ({ readonly kind: 'scrypt' } & ScryptWork)

/** The result of a task: the buffer of a batch, with the number of decrypted chunks or the state of a hash, or the bytes of a key. */
export interface TaskResult {
  readonly buffer: ArrayBuffer
  readonly decrypted: number
  readonly state?: Sha256State
}

/** One message per task; the results come back in the same order. */
export type ThreadResult = TaskResult | { readonly error: string }

/** A thread, as the environment provides it. */
export interface Thread {
  readonly post: (task: Task, transfer: ArrayBuffer[]) => void
  readonly end: () => Promise<unknown>
}

export interface ThreadEvents {
  readonly completed: (result: ThreadResult) => void
  /** The thread has ended, or did not start. */
  readonly failed: (error: Error) => void
}

interface QueuedTask {
  readonly resolve: (result: TaskResult) => void
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
 * A pool of threads that start with the first tasks. Each task goes to the thread with the shortest queue.
 * @param size maximum number of threads
 */
export function createPool(size: number, start: (events: ThreadEvents) => Thread): Pool {
  const threads: PoolThread[] = []

  function addThread(): PoolThread {
    const waiting: QueuedTask[] = []
    const thread = start({
      completed: (result) => {
        const task = waiting.shift()
        if ('error' in result) task?.reject(new Error(result.error))
        else task?.resolve(result)
      },
      failed: (error) => {
        const index = threads.indexOf(added)
        if (index !== -1) threads.splice(index, 1)
        for (const task of waiting.splice(0)) task.reject(error)
      },
    })
    const added = { thread, waiting }
    threads.push(added)
    return added
  }

  function leastBusy(): PoolThread {
    const [best] = threads.toSorted((a, b) => a.waiting.length - b.waiting.length)
    return best === undefined || (best.waiting.length > 0 && threads.length < size) ? addThread() : best
  }

  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        const { thread, waiting } = leastBusy()
        waiting.push({ resolve, reject })
        thread.post(task, task.kind === 'scrypt' ? [] : [task.batch.buffer])
      }),
    end: async () => {
      const ended = threads.splice(0)
      for (const { waiting } of ended) {
        for (const task of waiting.splice(0)) task.reject(new Error('the engine was closed'))
      }
      await Promise.all(ended.map(({ thread }) => thread.end()))
    },
  }
}
