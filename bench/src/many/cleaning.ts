import { setTimeout as wait } from 'node:timers/promises'
import { request } from '../stored.ts'

/** What a cleaning ends and deletes, as the metric `svcd_cleaning_done_total` names it. */
type Step = 'expired_uploads' | 'removed_uploads' | 'deleted_files'

/** What the metrics say of cleanings. */
export interface CleaningProgress {
  readonly running: boolean
  readonly done: Readonly<Record<Step, number>>
}

/** Milliseconds between two looks. */
const lookMs = 100

/** Asks for the metrics again and again until they say what is waited for. @returns seconds that it took */
export async function waitForCleaning(
  metrics: string,
  isReached: (progress: CleaningProgress) => boolean,
  signal: AbortSignal,
): Promise<number> {
  const start = performance.now()
  while (!isReached(progressIn(await (await request(metrics, { signal })).text())))
    await wait(lookMs, undefined, { signal })
  return (performance.now() - start) / 1000
}

function progressIn(text: string): CleaningProgress {
  const figure = (name: string) => {
    const line = text.split('\n').find((one) => one.startsWith(`${name} `))
    return Number(line?.slice(name.length + 1))
  }
  const done = (step: Step) => figure(`svcd_cleaning_done_total{what="${step}"}`)
  return {
    running: figure('svcd_cleaning_running') > 0,
    done: {
      expired_uploads: done('expired_uploads'),
      removed_uploads: done('removed_uploads'),
      deleted_files: done('deleted_files'),
    },
  }
}
