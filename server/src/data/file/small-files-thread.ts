import { startThread } from '../../platform/start-thread.ts'

/** A whole file on its way to its place in the store. */
export interface SmallFile {
  /** Of the unfinished file, in a directory that exists; must not exist itself. */
  readonly part: string
  /** Of the finished one. */
  readonly path: string
  readonly bytes: Uint8Array
  /** Whether it is to be on the disk, with its name. */
  readonly fsync: boolean
}

/** To the thread: the files of one turn of the event loop, each with the number of its answer. */
export type SmallFilesRequest = readonly (readonly [number, SmallFile])[]

/** From the thread: those that are done with, in any order. Errors lose their codes on their way. */
export type SmallFilesAnswer = readonly (readonly [number, SmallFileFailure | null])[]

export interface SmallFileFailure {
  readonly message: string
  readonly code: string | undefined
}

/** The thread that stores small files has died: what it had is lost. */
export class SmallFilesThreadError extends Error {
  override readonly name = 'SmallFilesThreadError'
}

export interface SmallFilesThread {
  /** When it rejects (with the error of the file system, which has its `code`), nothing of the file is left. */
  readonly store: (file: SmallFile) => Promise<void>
  readonly stop: () => Promise<void>
}

/** @param onEnd called when the thread can take no more files */
export function startSmallFilesThread(onEnd: () => void): SmallFilesThread {
  const waiting = new Map<number, PromiseWithResolvers<undefined>>()
  let last = 0
  let unsent: (readonly [number, SmallFile])[] = []
  const worker = startThread({
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
    const asked = waiting.get(number)
    waiting.delete(number)
    if (failure === null) asked?.resolve(undefined)
    else asked?.reject(Object.assign(new Error(failure.message), { code: failure.code }))
  }
  worker.on('message', (answers: SmallFilesAnswer) => {
    for (const [number, failure] of answers) settle(number, failure)
    if (waiting.size === 0) worker.unref()
  })

  return {
    async store(file) {
      const asked = Promise.withResolvers<undefined>()
      if (waiting.size === 0) worker.ref()
      waiting.set(++last, asked)
      if (unsent.length === 0) setImmediate(send)
      unsent.push([last, file])
      await asked.promise
    },
    async stop() {
      await worker.terminate()
    },
  }
}
