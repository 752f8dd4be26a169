import type { Config } from '../config/config.ts'
import { createLogger } from '../composition/log.ts'
import { listenForMetrics } from '../metrics/listener.ts'
import { startTeam } from '../workers/supervise.ts'
import type { Program } from './base/program.ts'

/** Serves with several processes on one port. This one only looks after them. */
export async function serveTogether(program: Program, config: Config): Promise<void> {
  const log = await createLogger(config)
  let address: string | null = null
  const { metrics: place } = config
  // Loaded where somebody listens to them.
  const sources = place && (await import('../metrics/of-workers.ts')).figuresOfWorkers(() => address)
  const metrics = place && sources && (await listenForMetrics(place, sources))

  const team = startTeam({
    count: config.workers,
    clock: program.clock,
    log,
    onComplete: (url) => {
      address = url
      program.print(`svcd listens on ${url}`)
    },
    onEnd: (why) => {
      if (why === 'failed') program.complain('the workers cannot start, see above why')
      log.flush()
      void metrics?.close().catch(() => undefined)
      program.exit(why === 'failed' ? 1 : 0)
    },
  })
  let stopping = false
  program.onStopSignal(() => {
    // Who asks twice does not want to wait for the transfers.
    team.stop(stopping ? 'at once' : 'gently')
    if (stopping) program.exit(1)
    stopping = true
    address = null
  })
}
