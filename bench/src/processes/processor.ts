import { readdir, readFile } from 'node:fs/promises'

/** Ticks of the system clock per second (Linux, `getconf CLK_TCK`). */
const ticks = 100

/** Seconds of processor time of a process so far, with all its threads. */
export const processorSeconds = (pid: number): Promise<number> => sumOf(pid, 'utime', 'stime')

/** The same for all ended child processes of this process. */
export const endedProcessorSeconds = (): Promise<number> => sumOf(process.pid, 'cutime', 'cstime')

/** Positions of fields after the name of the program (Linux, proc_pid_stat(5)). */
const places = { utime: 11, stime: 12, cutime: 13, cstime: 14 } as const

async function sumOf(pid: number, ...fields: readonly (keyof typeof places)[]): Promise<number> {
  const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8')
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.reduce((sum, field) => sum + Number(values[places[field]]), 0) / ticks
}

/**
 * Seconds of processor time so far of the programs that this process has started, and of what they have started, by the names
 * of programs. Processes that have ended count for the one that started them.
 */
export async function processorSecondsByProgram(): Promise<ReadonlyMap<string, number>> {
  const found = await Promise.all(
    (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map((name) => statOf(Number(name))),
  )
  const processes = new Map(found.flatMap((entry) => (entry === null ? [] : [[entry.pid, entry] as const])))
  const isOwn = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent ?? 0
    return parent === process.pid || (parent > 1 && isOwn(parent))
  }
  const sums = new Map<string, number>()
  for (const { pid, name, seconds } of processes.values())
    if (isOwn(pid)) sums.set(name, (sums.get(name) ?? 0) + seconds)
  return sums
}

async function statOf(pid: number) {
  // It may have ended meanwhile.
  const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => null)
  if (stat === null) return null
  const end = stat.lastIndexOf(')')
  const values = stat.slice(end + 2).split(' ')
  const own = Object.values(places).reduce((sum, place) => sum + Number(values[place]), 0)
  return {
    pid,
    name: stat.slice(stat.indexOf('(') + 1, end),
    parent: Number(values[1]),
    seconds: own / ticks,
  }
}
