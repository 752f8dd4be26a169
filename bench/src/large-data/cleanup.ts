import { setTimeout as wait } from 'node:timers/promises'
import { request } from '../stored.ts'

/** The items that a cleanup ends and deletes, as the metric `svcd_cleaning_done_total` names them. */
type Step = 'expired_uploads' | 'removed_uploads' | 'deleted_files'

/** The cleanup metrics. */
export interface CleanupProgress {
  readonly running: boolean
  readonly done: Readonly<Record<Step, number>>
}

/** Milliseconds between two polls. */
const pollMs = 100

/**
 * Polls the metrics until a condition holds.
 * @returns seconds until then
 */
export async function waitForCleanup(
  metrics: string,
  isReached: (progress: CleanupProgress) => boolean,
  signal: AbortSignal,
): Promise<number> {
  const start = performance.now()
  while (!isReached(progressIn(await (await request(metrics, { signal })).text())))
    await wait(pollMs, undefined, { signal })
  return (performance.now() - start) / 1000
}

function progressIn(text: string): CleanupProgress {
  const measurement = (name: string) => {
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `))
    return Number(line?.slice(name.length + 1))
  }
  const doneCount = (step: Step) => measurement(`svcd_cleaning_done_total{what="${step}"}`)
  return {
    running: measurement('svcd_cleaning_running') > 0,
    done: {
      expired_uploads: doneCount('expired_uploads'),
      removed_uploads: doneCount('removed_uploads'),
      deleted_files: doneCount('deleted_files'),
    },
  }
}
