import { destination, pino, type Logger } from 'pino'
import type { Config } from '../config/config.ts'

/** The structured log on standard error: JSON, or a readable format on a terminal. */
export async function createLogger({
  logLevel,
  logFormat,
}: Pick<Config, 'logLevel' | 'logFormat'>): Promise<Logger> {
  const options = { level: logLevel, base: { pid: process.pid } }
  const pretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stderr.isTTY)
  // Lines are buffered for a moment under load: a write per line costs as much as the line.
  if (!pretty)
    return pino(options, destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 100 }))
  const { default: prettyStream } = await import('pino-pretty')
  return pino(options, prettyStream({ destination: 2, sync: true, ignore: 'pid' }))
}
