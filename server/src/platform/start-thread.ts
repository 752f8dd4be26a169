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
   * Called once when the thread has ended, or when it is idle and being stopped: it accepts no more messages.
   * @param cause the error that ended it; undefined when it was stopped
   */
  readonly onEnd: (cause: unknown) => void
}

/** A worker thread, which keeps the process alive only while it is busy. */
export interface Thread {
  readonly worker: Worker
  /** To be called before a message to an idle thread: keeps the process alive. */
  readonly markBusy: () => void
  /** The thread has nothing to do, and nothing of its state is needed: it may be stopped. */
  readonly markIdle: () => void
}

/** Files of the program were deleted or replaced after it had started. */
class MissingProgramError extends Error {
  override readonly name = 'MissingProgramError'
  constructor(cause: Error) {
    super('files of the program were deleted or replaced while it was running: restart it', { cause })
  }
}

const isMissingModule = (error: unknown): error is Error =>
  error instanceof Error && /^Cannot find (?:module|package) /.test(error.message)

/** For each idle thread, a function that stops it. */
const idleThreads = new Set<() => void>()

/** Stops all idle threads, each of which takes some MB. Their owners start them again when they need them. */
export function stopIdleThreads(): void {
  for (const stop of idleThreads) stop()
}

/** Starts a worker thread with little memory, which is idle at first. */
export function startThread({ program, neighbour, name, workerData, onEnd }: ThreadOptions): Thread {
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
  let cause: unknown
  let hasEnded = false
  const end = () => {
    idleThreads.delete(stop)
    if (hasEnded) return
    hasEnded = true
    onEnd(cause)
  }
  const stop = () => {
    end()
    void worker.terminate()
  }
  const markIdle = () => {
    worker.unref()
    if (!hasEnded) idleThreads.add(stop)
  }
  markIdle()
  worker.once('error', (error: unknown) => {
    cause = isMissingModule(error) ? new MissingProgramError(error) : error
  })
  // `exit` follows an error, too.
  worker.once('exit', end)
  return {
    worker,
    markBusy() {
      idleThreads.delete(stop)
      worker.ref()
    },
    markIdle,
  }
}
