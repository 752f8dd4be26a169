// Preloaded into the server (`node --import`): watches the event loop when the benchmark asks for it, so that the
// product itself knows nothing of being measured. Plain JavaScript: what strips types would take 50 MB of the
// process that is measured.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const toMs = 1e-6

const delay = monitorEventLoopDelay()

process.on('message', (question) => {
  switch (question) {
    case 'watch':
      delay.reset()
      delay.enable()
      process.send(null)
      return
    case 'report':
      delay.disable()
      process.send({ p99: delay.percentile(99) * toMs, max: delay.max * toMs })
      return
  }
})

// The channel alone does not keep the server running.
process.channel.unref()
