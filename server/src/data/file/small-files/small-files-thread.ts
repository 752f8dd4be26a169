import { startThread } from '../../../platform/start-thread.ts'

/** A complete file to be stored. */
export interface SmallFile {
  /** Path of the unfinished file, which must not exist, in an existing directory. */
  readonly part: string
  /** Path of the finished file. */
  readonly path: string
  readonly bytes: Uint8Array
  /** Whether to sync the file and its name. */
  readonly fsync: boolean
}

/** A message to the thread: the files of one iteration of the event loop, each with the number of its request. */
export type SmallFilesRequest = readonly (readonly [number, SmallFile])[]

/** A message from the thread: finished requests, in any order. Structured cloning drops the code of an error. */
export type SmallFilesResponse = readonly (readonly [number, SmallFileFailure | null])[]

export interface SmallFileFailure {
  readonly message: string
  readonly code: string | undefined
}

/** The thread that stores small files has ended, and the results of its requests are unknown. */
export class SmallFilesThreadError extends Error {
  override readonly name = 'SmallFilesThreadError'
}

export interface SmallFilesThread {
  /** Stores a file. After a rejection, with the `code` of the file system's error, nothing of the file remains. */
  readonly store: (file: SmallFile) => Promise<void>
  readonly stop: () => Promise<void>
}

/** @param onEnd called when the thread has ended */
export function startSmallFilesThread(onEnd: () => void): SmallFilesThread {
  const waiting = new Map<number, PromiseWithResolvers<undefined>>()
  let last = 0
  let unsent: (readonly [number, SmallFile])[] = []
  const { worker, markBusy, markIdle } = startThread({
    program: 'small-files-worker',
    neighbour: import.meta.url,
    name: 'small files',
    onEnd: (cause) => {
      onEnd()
      const error = new SmallFilesThreadError('the thread that stores small files has stopped', { cause })
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    },
  })

  const send = () => {
    worker.postMessage(unsent satisfies SmallFilesRequest)
    unsent = []
  }
  const settle = (number: number, failure: SmallFileFailure | null) => {
    const request = waiting.get(number)
    waiting.delete(number)
    if (failure === null) request?.resolve(undefined)
    else request?.reject(Object.assign(new Error(failure.message), { code: failure.code }))
  }
  worker.on('message', (responses: SmallFilesResponse) => {
    for (const [number, failure] of responses) settle(number, failure)
    if (waiting.size === 0) markIdle()
  })

  return {
    async store(file) {
      const request = Promise.withResolvers<undefined>()
      if (waiting.size === 0) markBusy()
      waiting.set(++last, request)
      if (unsent.length === 0) setImmediate(send)
      unsent.push([last, file])
      await request.promise
    },
    async stop() {
      await worker.terminate()
    },
  }
}
