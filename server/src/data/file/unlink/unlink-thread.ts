import { startThread } from '../../../platform/start-thread.ts'

/** To the thread: paths of files. */
export type UnlinkRequest = readonly string[]

/** From the thread, in the order of the requests: a result for each path. */
export type UnlinkResponse = readonly ('removed' | 'absent' | UnlinkFailure)[]

/** Errors lose their codes between threads. */
export interface UnlinkFailure {
  readonly message: string
  readonly code: string | undefined
}

export type UnlinkResult = 'removed' | 'absent' | Error

/** A thread that unlinks files has ended unexpectedly. Some of its files may remain. */
export class UnlinkThreadError extends Error {
  override readonly name = 'UnlinkThreadError'
}

/**
 * Unlinks many files.
 * @returns a result for each path
 * @throws UnlinkThreadError
 */
export type UnlinkFiles = (paths: readonly string[]) => Promise<readonly UnlinkResult[]>

/**
 * Starts a thread, which keeps the process alive only while it has files.
 * @param onEnd called when the thread accepts no more paths
 */
export function startUnlinkThread(onEnd: () => void): UnlinkFiles {
  const waiting: PromiseWithResolvers<readonly UnlinkResult[]>[] = []
  const { worker, markBusy, markIdle } = startThread({
    program: 'unlink-worker',
    neighbour: import.meta.url,
    name: 'unlinking',
    onEnd: (cause) => {
      onEnd()
      const error = new UnlinkThreadError('the thread that unlinks files has stopped', { cause })
      for (const { reject } of waiting.splice(0)) reject(error)
    },
  })
  worker.on('message', (results: UnlinkResponse) => {
    waiting.shift()?.resolve(results.map(resultOf))
    if (waiting.length === 0) markIdle()
  })
  return (paths) => {
    const response = Promise.withResolvers<readonly UnlinkResult[]>()
    if (waiting.length === 0) markBusy()
    waiting.push(response)
    worker.postMessage(paths satisfies UnlinkRequest)
    return response.promise
  }
}

const resultOf = (result: UnlinkResponse[number]): UnlinkResult =>
  typeof result === 'string' ? result : Object.assign(new Error(result.message), { code: result.code })
