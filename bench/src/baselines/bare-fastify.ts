import path from 'node:path'
import { firstMatch, start } from '../processes/child.ts'
import { processorSeconds } from '../processes/processor.ts'

const program = path.resolve(import.meta.dirname, 'bare-fastify-process.ts')

interface BareFastify extends AsyncDisposable {
  readonly url: string
  /** Seconds of processor time of the process. */
  readonly processorTime: () => Promise<number>
}

/** A server with one minimal JSON route, in a separate process. */
export async function startBareFastify(signal: AbortSignal): Promise<BareFastify> {
  const running = start(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await firstMatch(running, /^listens on (\S+)$/, signal)
    return {
      url,
      processorTime: () => processorSeconds(running.pid),
      [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
    }
  } catch (error) {
    await running[Symbol.asyncDispose]()
    throw error
  }
}
