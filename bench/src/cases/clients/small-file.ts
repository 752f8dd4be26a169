import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buildSea } from '../../../../scripts/bundle/build-sea.ts'
import { clientSea } from '../../../../scripts/bundle/executable-plan.ts'
import type { Bench } from '../../bench.ts'
import { svcProgram } from '../../clients/svc.ts'
import { interleave, median, timeInSeconds } from '../../measure.ts'
import { run } from '../../processes/child.ts'
import { endedProcessorSeconds } from '../../processes/processor.ts'
import { startServer } from '../../processes/server-process.ts'
import type { Case, Row } from '../../results/rows.ts'

/** More than in other cases: each takes a tenth of a second, and is disturbed by everything on the machine. */
const rounds = 20
const maxMs = 150

/** The time from the start of a command to its end with a file of 3 bytes, which is mostly that of starting the program. */
export const smallFile: Case<Bench> = {
  name: 'small-file',
  needsTools: false,
  async run(bench) {
    const { signal } = bench
    const folder = await bench.newDirectory('small-file')
    await using server = await startServer(bench)
    const executable = path.join(folder, 'svc')
    buildSea(process.execPath, clientSea(svcProgram, process.execPath, executable))
    const file = path.join(folder, 'small.txt')
    const got = path.join(folder, 'got.txt')
    const empty = path.join(folder, 'empty.mjs')
    await Promise.all([writeFile(file, 'abc'), writeFile(empty, '')])

    const env = {
      ...process.env,
      HOME: folder,
      XDG_CACHE_HOME: path.join(folder, 'cache'),
      SVC_SERVER: server.url,
    }
    const link = (await run(process.execPath, [svcProgram, '-q', file], { signal, env })).trim()
    const commands = [
      ['svc FILE', [file]],
      ['svc get', ['get', link, '-o', got]],
      ['svc --version', ['--version']],
    ] as const
    /** Seconds of all rounds: the system counts hundredths, too few for one. */
    const processor = new Map<string, number>()
    /** Milliseconds. */
    const timed = (name: string, command: string, args: readonly string[]) => async () => {
      await rm(got, { force: true })
      const before = await endedProcessorSeconds()
      const elapsed = await timeInSeconds(() => run(command, args, { signal, env }))
      processor.set(name, (processor.get(name) ?? 0) + (await endedProcessorSeconds()) - before)
      return 1000 * elapsed
    }
    const contestants = Object.fromEntries([
      ['an empty script of Node', timed('an empty script of Node', process.execPath, [empty])],
      ...commands.flatMap(([name, args]) => [
        [name, timed(name, process.execPath, [svcProgram, ...args])] as const,
        [`${name}, executable`, timed(`${name}, executable`, executable, args)] as const,
      ]),
    ])
    const elapsed = await interleave(contestants, rounds)
    return Object.entries(elapsed).flatMap(([name, times]): Row[] => {
      const what = name.startsWith('svc') ? name.replace(/^[^,]+/, '`$&`') : name
      const amount = { kind: 'measurement', unit: 'ms' } as const
      return [
        {
          ...amount,
          what: `${what}, from start to end (median of ${String(rounds)})`,
          value: median(times),
          ...(/FILE|get/.test(name) && { atMost: maxMs }),
        },
        {
          ...amount,
          what: `${what}, processor time (mean)`,
          value: (1000 * (processor.get(name) ?? 0)) / rounds,
        },
      ]
    })
  },
}
