import { destination, pino, type Logger } from 'pino'
import type { Config } from './config/config.ts'

/** The structured log: lines of JSON, or made readable where a person watches a terminal. */
export function createLogger({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Logger {
  const pretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stderr.isTTY)
  if (pretty)
    return pino({ level: logLevel, transport: { target: 'pino-pretty', options: { destination: 2 } } })
  return pino({ level: logLevel }, destination({ dest: 2, sync: false, minLength: 0 }))
}
