import { destination, pino, type Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { repeatedFailures } from './repeated-failures.ts'

/** The structured log on standard error: JSON, or a readable format on a terminal. */
export async function createLogger({
  logLevel,
  logFormat,
}: Pick<Config, 'logLevel' | 'logFormat'>): Promise<Logger> {
  const hooks = { logMethod: repeatedFailures(() => performance.now()) }
  const options = { level: logLevel, base: { pid: process.pid }, hooks }
  const pretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stderr.isTTY)
  if (!pretty) return pino(options, bufferedStderr())
  const { default: prettyStream } = await import('pino-pretty')
  return pino(options, prettyStream({ destination: 2, sync: true, ignore: 'pid' }))
}

/** How long a line may wait for others, in ms. */
const flushDelay = 100

/** Standard error, with lines buffered for a moment: under load, a write per line costs as much as the line. */
function bufferedStderr() {
  const stderr = destination({ dest: 2, sync: false, minLength: 4096 })
  const write = stderr.write.bind(stderr)
  let isFlushPlanned = false
  const flush = () => {
    isFlushPlanned = false
    stderr.flush()
  }
  // The periodic flush of the library would also write ten times a second while there are no lines.
  stderr.write = (line) => {
    if (!isFlushPlanned) {
      isFlushPlanned = true
      setTimeout(flush, flushDelay).unref()
    }
    return write(line)
  }
  return stderr
}
