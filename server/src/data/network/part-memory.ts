import { totalmem } from 'node:os'

/** The share of the memory for parts of uploads. The server and its other buffers use the rest. */
const share = 1 / 4

/**
 * Bytes for the parts of all uploads of this process: a quarter of the memory of the machine, or of the limit of its container
 * or unit (cgroup) if that is lower.
 * @param workers processes of this service that share the memory
 * @param limit bytes of the cgroup; 0 without a limit
 */
export function partMemory(workers = 1, limit = process.constrainedMemory(), total = totalmem()): number {
  const available = limit > 0 ? Math.min(limit, total) : total
  return Math.floor((available * share) / workers)
}
