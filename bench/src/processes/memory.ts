import { readFile, writeFile } from 'node:fs/promises'

/** Resets the peak memory of a process to its present use (Linux, proc_pid_clear_refs(5)). */
export const forgetPeakMemory = (pid: number): Promise<void> =>
  writeFile(`/proc/${String(pid)}/clear_refs`, '5')

/** Resident memory of a process, in bytes. */
export interface MemoryByKind {
  /** Programs and libraries. */
  readonly files: number
  /** Memory of threads' stacks, heaps and buffers. */
  readonly anonymous: number
}

/** What the resident memory of a process is (Linux, proc_pid_smaps_rollup). */
export async function memoryByKind(pid: number): Promise<MemoryByKind> {
  const rollup = await readFile(`/proc/${String(pid)}/smaps_rollup`, 'utf8')
  const bytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1]) * 1024
  const anonymous = bytes('Anonymous')
  return { files: bytes('Rss') - anonymous, anonymous }
}

/** Peak memory of a process since the reset, in bytes (resident, with all its threads). */
export async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8')
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? []
  if (kibibytes === undefined) throw new Error('this system does not report the peak memory of a process')
  return Number(kibibytes) * 1024
}
