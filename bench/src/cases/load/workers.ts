import type { Bench } from '../../bench.ts'
import { requestsPerSecond, warmUp } from '../../clients/wrk.ts'
import { interleave } from '../../measure.ts'
import type { Case, Row } from '../../results/rows.ts'
import { startServer } from '../../processes/server-process.ts'
import { quickUploads, readings } from './requests.ts'

const requests = [
  { what: '`GET /upload/{id}` of two workers', load: readings },
  { what: 'quick uploads of 1 KiB to two workers', load: quickUploads },
]

/** Two processes on one port against one, each with separate data; the client uses the same processors. */
export const workers: Case<Bench> = {
  name: 'workers',
  async run(bench) {
    const { signal } = bench
    await using oneWorker = await startServer(bench)
    await using twoWorkers = await startServer(bench, { SVCD_WORKERS: '2' })
    const rows: Row[] = []
    for (const { what, load } of requests) {
      const [toOne, toTwo] = [await load(bench, oneWorker), await load(bench, twoWorkers)]
      await warmUp(toOne, signal)
      await warmUp(toTwo, signal)
      const measurements = await interleave({
        baseline: () => requestsPerSecond(toOne, signal),
        ours: () => requestsPerSecond(toTwo, signal),
      })
      rows.push({
        kind: 'comparison',
        what,
        unit: 'requests/s',
        ours: measurements.ours,
        baseline: { name: 'one worker', measurements: measurements.baseline },
        atLeast: 1.2,
      })
    }
    return rows
  },
}
