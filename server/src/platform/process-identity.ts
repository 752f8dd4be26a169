import { readFileSync, readlinkSync } from 'node:fs'

/**
 * Identifies this process among all processes of all machines: the boot of its kernel, its process id namespace, its id
 * there, and its start time in ticks of that kernel.
 * @returns empty on any system but Linux
 */
export function processIdentity(): string {
  try {
    return [...bootAndNamespace(), process.pid, startTimeOf(process.pid)].join(' ')
  } catch {
    return ''
  }
}

/**
 * Whether a process has certainly ended. A process of another boot or namespace is not visible here, even on the same
 * machine. A zombie that its parent has not waited for may still be writing, so it does not count.
 * @param identity result of `processIdentity`
 */
export function hasEnded(identity: string): boolean {
  const [boot, namespace, pid, start] = identity.split(' ')
  try {
    if ([boot, namespace].join(' ') !== bootAndNamespace().join(' ')) return false
    // `/proc` may hide processes of other users; a signal does not.
    return !exists(Number(pid)) || startTimeOf(Number(pid)) !== start
  } catch {
    return false
  }
}

/** The kernel reuses the number of a namespace only when all its processes have ended. */
const bootAndNamespace = () => [
  readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(),
  readlinkSync('/proc/self/ns/pid'),
]

/** Field 22 of /proc/PID/stat (proc(5)). Field 2, the name of the program, may contain spaces and parentheses. */
function startTimeOf(pid: number): string | undefined {
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
