import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

export interface ThreadOptions {
  /**
   * File of its program without the extension. It has the extension of `neighbour`, which differs between sources and
   * bundles.
   */
  readonly program: string
  /** URL of a file in the same directory (`import.meta.url`). */
  readonly neighbour: string
  readonly name: string
  readonly workerData?: unknown
  /**
   * Called once when the thread has ended.
   * @param cause the error that ended it; undefined when it was stopped
   */
  readonly onEnd: (cause: unknown) => void
}

/** Starts a worker thread with little memory. It keeps the process alive only after `ref`. */
export function startThread({ program, neighbour, name, workerData, onEnd }: ThreadOptions): Worker {
  const env = { ...process.env }
  // With this variable of `node --watch`, the thread would send its imports to the listeners of its messages.
  delete env['WATCH_REPORT_DEPENDENCIES']
  const worker = new Worker(new URL(`./${program}${extname(neighbour)}`, neighbour), {
    name,
    execArgv: [],
    env,
    workerData,
    // Without limits it would reserve as much memory as the main thread. With tighter limits (16, 2) some threads ran
    // out of memory at their start, and V8 then ends the whole process.
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8, stackSizeMb: 1 },
  })
  worker.unref()
  let cause: unknown
  worker.once('error', (error: unknown) => {
    cause = error
  })
  // `exit` follows an error, too.
  worker.once('exit', () => {
    onEnd(cause)
  })
  return worker
}
