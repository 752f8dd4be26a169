import type { Config } from '../config/config.ts'
import { createLogger } from '../composition/log.ts'
import { listenForMetrics } from '../metrics/listener.ts'
import { superviseWorkers } from '../workers/supervise.ts'
import { printListening } from './base/print-listening.ts'
import type { Program } from './base/program.ts'

/** Serves with several processes on one port. This process only supervises them. */
export async function serveTogether(program: Program, config: Config): Promise<void> {
  const log = await createLogger(config)
  let listeningURL: string | null = null
  const { metrics: metricsAddress } = config
  // Loaded only when metrics are enabled.
  const sources =
    metricsAddress && (await import('../metrics/aggregated-metrics.ts')).aggregatedMetrics(() => listeningURL)
  const metrics = metricsAddress && sources && (await listenForMetrics(metricsAddress, sources))

  const supervisor = superviseWorkers({
    count: config.workers,
    clock: program.clock,
    log,
    onComplete: (url) => {
      listeningURL = url
      printListening(program, config, url)
    },
    onEnd: (why) => {
      if (why === 'failed') program.printToStderr('the workers cannot start; see the messages above')
      log.flush()
      void metrics?.close().catch(() => undefined)
      program.exit(why === 'failed' ? 1 : 0)
    },
  })
  let stopping = false
  program.onStopSignal(() => {
    // A second signal stops without waiting for transfers.
    supervisor.stop(stopping ? 'at once' : 'gently')
    if (stopping) program.exit(1)
    stopping = true
    listeningURL = null
  })
}
