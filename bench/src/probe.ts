import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * Preloaded into the server (`node --import`): watches the event loop when the benchmark asks for it, so that
 * the product itself knows nothing of being measured.
 */
export type Question = 'watch' | 'report'

/** What was seen since `watch`, in milliseconds. An idle loop shows the 10 ms between two samples. */
export interface LoopDelay {
  readonly p99: number
  readonly max: number
}

const toMs = 1e-6

const delay = monitorEventLoopDelay()

process.on('message', (question: Question) => {
  switch (question) {
    case 'watch':
      delay.reset()
      delay.enable()
      process.send?.(null)
      return
    case 'report':
      delay.disable()
      process.send?.({ p99: delay.percentile(99) * toMs, max: delay.max * toMs } satisfies LoopDelay)
      return
  }
})

// The channel alone does not keep the server running.
process.channel?.unref()
