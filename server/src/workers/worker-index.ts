import cluster from 'node:cluster'

/** The index of a process among those that share a port. */
export interface WorkerIndex {
  /** Starts at 0. The replacement of a process has its index. */
  readonly index: number
  /** Number of processes. */
  readonly count: number
}

/** The environment variable with the index of a worker. */
export const indexVariable = 'SVC_WORKER_INDEX'

/** @returns undefined in a process that is not a worker */
export function workerIndexOf(
  environment: Readonly<Record<string, string | undefined>>,
  count: number,
): WorkerIndex | undefined {
  return cluster.isWorker ? { index: Number(environment[indexVariable] ?? 0), count } : undefined
}
