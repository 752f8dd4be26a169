import { readFile } from 'node:fs/promises'

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
