import type { Bench } from '../../bench.ts'
import { median, rounds, timeInSeconds } from '../../measure.ts'
import type { Case } from '../../results/rows.ts'
import { newServerSetup, runCommand, startServerWith } from '../../processes/server-process.ts'

const maxServeMs = 250
const maxHelpMs = 120

/** How long the programs take to start, from the package as from the checkout: both run the bundle. */
export const starts: Case<Bench> = {
  name: 'start',
  async run(bench) {
    const { signal } = bench
    const setup = await newServerSetup(bench)
    // Creates the database.
    await (await startServerWith(setup, signal))[Symbol.asyncDispose]()
    const serving: number[] = []
    const helping: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const start = performance.now()
      const server = await startServerWith(setup, signal)
      serving.push(performance.now() - start)
      await server[Symbol.asyncDispose]()
      helping.push(1000 * (await timeInSeconds(() => runCommand(setup, ['--help'], signal))))
    }
    return [
      {
        kind: 'measurement',
        what: '`svcd serve`, until it listens (median)',
        unit: 'ms',
        value: median(serving),
        atMost: maxServeMs,
      },
      {
        kind: 'measurement',
        what: '`svcd --help` (median)',
        unit: 'ms',
        value: median(helping),
        atMost: maxHelpMs,
      },
    ]
  },
}
