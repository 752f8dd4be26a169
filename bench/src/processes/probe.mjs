// Preloaded into the server (`node --import`): watches the event loop on request of the benchmark, so that
// the product needs no code for measurements. Plain JavaScript, because stripping types would add tens of
// megabytes to the measured process.
import { Session } from 'node:inspector'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** @typedef {'watch' | 'report' | 'profile' | 'end profile' | 'memory'} Question */

/**
 * The delay of the event loop since `watch`, in milliseconds. An idle loop shows the 10 ms between two
 * samples. @typedef {{ readonly p99: number, readonly max: number }} LoopDelay
 */

const toMs = 1e-6

/** Microseconds between two samples of a profile. */
const sampleInterval = 200

const delay = monitorEventLoopDelay()
const inspector = new Session()

process.on('message', (/** @type {Question} */ question) => {
  switch (question) {
    case 'watch':
      delay.reset()
      delay.enable()
      process.send?.(null)
      return
    case 'report':
      delay.disable()
      process.send?.({ p99: delay.percentile(99) * toMs, max: delay.max * toMs })
      return
    case 'memory':
      process.send?.(process.memoryUsage())
      return
    case 'profile':
      inspector.connect()
      inspector.post('Profiler.enable')
      inspector.post('Profiler.setSamplingInterval', { interval: sampleInterval })
      inspector.post('Profiler.start', (error) => {
        process.send?.(error)
      })
      return
    case 'end profile':
      inspector.post('Profiler.stop', (_error, { profile }) => {
        inspector.disconnect()
        process.send?.(profile)
      })
      return
  }
})

// The channel alone does not keep the server running.
process.channel?.unref()
