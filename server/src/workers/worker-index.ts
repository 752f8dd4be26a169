import cluster from 'node:cluster'

/** Which one a process is among those that share a port. */
export interface WorkerIndex {
  /** From 0 on. Whoever takes the place of a process that died has its index. */
  readonly index: number
  /** How many there are. */
  readonly count: number
}

/** Tells a worker its index. */
export const indexVariable = 'SVC_WORKER_INDEX'

/** @returns undefined in a process that is no worker */
export function placeIn(
  environment: Readonly<Record<string, string | undefined>>,
  count: number,
): WorkerIndex | undefined {
  return cluster.isWorker ? { index: Number(environment[indexVariable] ?? 0), count } : undefined
}
