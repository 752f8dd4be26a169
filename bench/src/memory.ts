import { readFile, writeFile } from 'node:fs/promises'

/** Resets the peak memory of a process to its present use (Linux, proc_pid_clear_refs(5)). */
export const forgetPeakMemory = (pid: number): Promise<void> =>
  writeFile(`/proc/${String(pid)}/clear_refs`, '5')

/** Peak memory of a process since the reset, in bytes (resident, with all its threads). */
export async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8')
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? []
  if (kibibytes === undefined) throw new Error('this system does not report the peak memory of a process')
  return Number(kibibytes) * 1024
}
