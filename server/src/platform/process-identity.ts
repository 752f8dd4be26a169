import { readFileSync, readlinkSync } from 'node:fs'

/**
 * Names this process among all that ever ran on any machine: the boot of its kernel, its namespace of process ids, its
 * id there, and when it began, in ticks of that kernel.
 * @returns empty where the system does not tell: anywhere but on Linux
 */
export function processIdentity(): string {
  try {
    return [...surroundings(), process.pid, startOf(process.pid)].join(' ')
  } catch {
    return ''
  }
}

/**
 * Whether a process has ended, for certain. One of another boot or namespace cannot be seen from here, even on the same
 * machine; nor can one that a parent has not waited for yet, which may still be writing.
 * @param identity by `processIdentity`
 */
export function hasEnded(identity: string): boolean {
  const [boot, namespace, pid, start] = identity.split(' ')
  try {
    if ([boot, namespace].join(' ') !== surroundings().join(' ')) return false
    // Processes of other users may be hidden in /proc, not from this.
    return !exists(Number(pid)) || startOf(Number(pid)) !== start
  } catch {
    return false
  }
}

/** A namespace's number is given again only when none of its processes is left. */
const surroundings = () => [
  readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(),
  readlinkSync('/proc/self/ns/pid'),
]

/** The 22nd field of proc(5). The second, the name of the program, may have spaces and parentheses in it. */
function startOf(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'latin1')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
