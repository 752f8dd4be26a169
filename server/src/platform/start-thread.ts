import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

export interface ThreadOptions {
  /** File of its program without the ending, which is that of its neighbour: sources and bundles have different ones. */
  readonly program: string
  /** Address of a file beside it (`import.meta.url`). */
  readonly neighbour: string
  readonly name: string
  readonly workerData?: unknown
  /** Called once, when it has ended and takes nothing more. @param cause the error that ended it; undefined when it was stopped */
  readonly onEnd: (cause: unknown) => void
}

/** Starts a thread of ours, which keeps little in memory of its own. It keeps the process alive only while it is told to (`ref`). */
export function startThread({ program, neighbour, name, workerData, onEnd }: ThreadOptions): Worker {
  const worker = new Worker(new URL(`./${program}${extname(neighbour)}`, neighbour), {
    name,
    execArgv: [],
    workerData,
    // Without a bound it would reserve as much as the main thread. With tighter ones (16, 2) some threads ran out of memory
    // as they started, and V8 then ends the whole process.
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8, stackSizeMb: 1 },
  })
  worker.unref()
  let cause: unknown
  worker.once('error', (error: unknown) => {
    cause = error
  })
  // Comes after an error, too.
  worker.once('exit', () => {
    onEnd(cause)
  })
  return worker
}
