import { startDownload } from '../base/start-download.ts'
import { browserTarget } from './browser-target.ts'
import { pickTarget } from './picked-target.ts'
import { memoryTarget } from './memory-target.ts'
import { SavingError, type SaveOptions, type Target } from './target.ts'

export interface SaveRequest {
  readonly fileName: string
  /** Bytes, about. */
  readonly size: number
  /** Begins to fetch what is saved, as soon as there is a place for it. */
  readonly open: (signal: AbortSignal) => Promise<Pick<SaveOptions, 'content' | 'size'>>
}

const isNotTaken = (error: unknown) => error instanceof SavingError && error.code === 'not_taken'

/** Where there is no service worker: a place that the person chooses, or memory. */
const withoutWorker = async (fileName: string, size: number): Promise<Target> =>
  (await pickTarget(fileName)) ?? memoryTarget(fileName, size, startDownload)

async function targetFor(fileName: string, size: number): Promise<Target> {
  try {
    return await browserTarget(fileName)
  } catch (error) {
    if (!isNotTaken(error)) throw error
    return withoutWorker(fileName, size)
  }
}

async function saveTo(target: Target, fileName: string, saving: SaveOptions, size: number): Promise<void> {
  try {
    await target.save(saving)
  } catch (error) {
    if (!isNotTaken(error)) throw error
    await (await withoutWorker(fileName, size)).save(saving)
  }
}

/**
 * Saves what comes, without holding it in memory where the browser has a way. What breaks off never becomes a finished
 * file.
 * @throws errors of the content; SavingError; the signal's reason
 */
export async function saveContent({ fileName, size, open }: SaveRequest, signal: AbortSignal): Promise<void> {
  // Before anything is fetched: a one-time file must not be lost because it cannot be saved.
  const target = await targetFor(fileName, size)
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  try {
    await saveTo(target, fileName, { ...(await open(either)), signal: either }, size)
  } catch (error) {
    await target.abandon()
    throw error
  } finally {
    // Also where a target did not want all of it: the connection is let go.
    stop.abort()
  }
}
