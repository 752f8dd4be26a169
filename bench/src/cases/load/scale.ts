import { setTimeout as wait } from 'node:timers/promises'
import { missingProgramsOf } from '../../../../scripts/test-servers/kinds.ts'
import { startDatabaseServer } from '../../../../scripts/test-servers/databases/database-server.ts'
import { startRadosgw } from '../../../../scripts/test-servers/stores/radosgw.ts'
import type { Bench } from '../../bench.ts'
import { fixedLoad, type LoadResult } from '../../clients/fixed-load.ts'
import { newBucket, storeSettings } from '../../object-store.ts'
import { processorSecondsByProgram } from '../../processes/processor.ts'
import type { Case, Row } from '../../results/rows.ts'
import { startServer, type ServerProcess } from '../../processes/server-process.ts'

/** Cycles per second of the measured points; each is an upload of 1 KiB and three downloads. */
const rate = 10
const seconds = 20
const idleSeconds = 10

/** The programs of the database and the store. */
const programs = { database: ['postgres'], store: ['radosgw', 'ceph-osd', 'ceph-mon'] } as const

const names = ['servers', 'database', 'store'] as const
type Part = (typeof names)[number]

/** Seconds of processor time of each part. */
type Usage = Readonly<Record<Part, number>>

interface Point {
  readonly servers: number
  readonly usage: Usage
  readonly load: LoadResult
}

/**
 * One to four servers on PostgreSQL and S3 at the same load: the processor time of a request in each part, which depends little
 * on the other programs of the machine. A model of it predicts a fifth point, at another load.
 */
export const scale: Case<Bench> = {
  name: 'scale',
  isLong: true,
  async run(bench) {
    const reason = missingProgramsOf('postgres') ?? missingProgramsOf('radosgw')
    if (reason !== null) return [{ kind: 'unmeasured', what: 'several servers', reason }]
    const database = await startDatabaseServer('postgres', { isInMemory: true })
    const store = await startRadosgw()
    try {
      const settings = {
        SVCD_METADATA_BACKEND_CONFIG_DRIVER: 'postgres',
        SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING: await database.create(),
        ...storeSettings(await newBucket(store)),
      }
      return await measureWith(bench, settings)
    } finally {
      await Promise.all([database.remove(), store.remove()])
    }
  },
}

async function measureWith(
  bench: Bench,
  settings: Readonly<Record<string, string>>,
): Promise<readonly Row[]> {
  await using servers = new AsyncDisposableStack()
  const running: ServerProcess[] = []
  const points: Point[] = []
  const idle: Usage[] = []
  for (let count = 1; count <= 4; count += 1) {
    running.push(servers.use(await startServer(bench, settings)))
    // What is compiled at first use is not part of a request.
    await fixedLoad(running, { rate, seconds: 5 })
    idle.push(await usageDuring(running, () => wait(idleSeconds * 1_000)))
    points.push(await pointOf(running, rate))
  }
  const cycle = costOfCycle(points, idle)
  const fifth = await pointOf(running.slice(0, 3), 2 * rate)
  return [
    ...points.flatMap(rowsOf),
    ...rowsOf(fifth),
    ...idle.flatMap((usage, index) =>
      names.map((part) =>
        measurement(
          `${String(index + 1)} servers at rest: ${part}, per second`,
          'ms',
          (usage[part] / idleSeconds) * 1_000,
        ),
      ),
    ),
    ...names.flatMap((part): readonly Row[] => {
      // The fourth server is at rest: database and store work for it, too.
      const atRest = idle[part === 'servers' ? 2 : 3]?.[part] ?? 0
      const predicted = cycle[part] * 2 * rate * seconds + (atRest / idleSeconds) * seconds
      return [
        measurement(`${part}: processor of a cycle`, 'ms', cycle[part] * 1_000),
        measurement(`${part}: predicted for the fifth point`, 's', predicted),
        measurement(`${part}: measured`, 's', fifth.usage[part]),
      ]
    }),
  ]
}

async function pointOf(servers: readonly ServerProcess[], perSecond: number): Promise<Point> {
  let load: LoadResult | undefined
  const usage = await usageDuring(servers, async () => {
    load = await fixedLoad(servers, { rate: perSecond, seconds })
  })
  if (load === undefined) throw new Error('no load')
  return { servers: servers.length, usage, load }
}

async function usageDuring(servers: readonly ServerProcess[], work: () => Promise<unknown>): Promise<Usage> {
  const before = await usageSoFar(servers)
  await work()
  const after = await usageSoFar(servers)
  return usageOf((part) => after[part] - before[part])
}

async function usageSoFar(servers: readonly ServerProcess[]): Promise<Usage> {
  const times = await Promise.all(servers.map((server) => server.processorTime()))
  const byProgram = await processorSecondsByProgram()
  const sum = (...values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return usageOf((part) =>
    part === 'servers' ? sum(...times) : sum(...programs[part].map((name) => byProgram.get(name) ?? 0)),
  )
}

const usageOf = (valueFor: (part: Part) => number): Usage => ({
  servers: valueFor('servers'),
  database: valueFor('database'),
  store: valueFor('store'),
})

/** Seconds of processor time of a cycle, without what the parts use at rest: the mean of the points. */
function costOfCycle(points: readonly Point[], idle: readonly Usage[]): Usage {
  const cost = (part: Part) => {
    const costs = points.map(({ usage, load }, index) => {
      const atRest = ((idle[index]?.[part] ?? 0) / idleSeconds) * seconds
      return (usage[part] - atRest) / load.cycles
    })
    return costs.reduce((sum, cost) => sum + cost, 0) / costs.length
  }
  return usageOf(cost)
}

function rowsOf({ servers, usage, load }: Point): readonly Row[] {
  const about = `${String(servers)} servers, ${(load.cycles / seconds).toFixed(0)} cycles/s`
  return [
    ...names.map((part) => measurement(`${about}: ${part}`, 'ms', (usage[part] / load.cycles) * 1_000)),
    measurement(`${about}: upload, median`, 'ms', load.upload),
    measurement(`${about}: download, median`, 'ms', load.download),
    ...(load.failed === 0 ? [] : [measurement(`${about}: failed cycles`, 'files', load.failed)]),
  ]
}

const measurement = (what: string, unit: 'ms' | 's' | 'files', value: number): Row => ({
  kind: 'measurement',
  what,
  unit,
  value,
})
