import type { Bench } from '../../../bench.ts'
import { measuredSeconds, postScript, requestsPerSecond, warmUp } from '../../../clients/wrk.ts'
import { interleave } from '../../../measure.ts'
import type { Case, Row } from '../../../results/rows.ts'
import { startServer, type ServerProcess } from '../../../processes/server-process.ts'
import { qrCodes, forwardedFor, largePages, protectedUploads } from './expensive-requests.ts'
import { excessAnnouncements, idleClients } from './hostile-clients.ts'

/** The effect of a few clients with the most expensive requests on the others. */
export const guests: Case<Bench> = {
  name: 'guests',
  async run(bench) {
    const rows: Row[] = []
    for (const measure of [
      qrCodes,
      protectedUploads,
      largePages,
      forwardedFor,
      excessAnnouncements,
      idleClients,
    ])
      rows.push(...(await measure(bench)))
    return [...rows, await budgets(bench)]
  },
}

const budgetKeys = ['UPLOADS', 'FILES', 'BYTES_STR', 'CLI_CODES', 'PASSWORD_UPLOADS', 'QR_CODES']

/** A few percent are visible only over many rounds. */
const manyRounds = 3

async function budgets(bench: Bench): Promise<Row> {
  const { signal } = bench
  const off = Object.fromEntries(budgetKeys.map((key) => [`SVCD_BUDGET_${key}`, '0']))
  await using counted = await startServer(bench)
  await using free = await startServer(bench, off)
  const script = await postScript(bench, { type: 'application/json', body: '{}' })
  for (const { url } of [counted, free]) await warmUp({ url: `${url}upload`, script }, signal)
  const measure = async (server: ServerProcess) => {
    const before = await server.processorTime()
    const rate = await requestsPerSecond({ url: `${server.url}upload`, script }, signal)
    return (rate * measuredSeconds) / ((await server.processorTime()) - before)
  }
  const ours: number[] = []
  const baseline: number[] = []
  for (let again = 0; again < manyRounds; again += 1) {
    const measurements = await interleave({ baseline: () => measure(free), ours: () => measure(counted) })
    ours.push(...measurements.ours)
    baseline.push(...measurements.baseline)
  }
  return {
    kind: 'comparison',
    what: '`POST /upload` with budgets, in a second of processor time',
    unit: 'requests/s',
    ours,
    baseline: { name: 'without budgets', measurements: baseline },
    atLeast: 0.97,
  }
}
