import { followDownload } from '../../download/follow-download.ts'
import { browserDownload } from './browser-download.ts'
import { chosenPlace } from './chosen-place.ts'
import { inMemory } from './memory.ts'
import { SavingError, type Saving, type Target } from './target.ts'

export interface Offered {
  readonly fileName: string
  /** Bytes, about. */
  readonly size: number
  /** Begins to fetch what is saved, as soon as there is a place for it. */
  readonly open: (signal: AbortSignal) => Promise<Pick<Saving, 'content' | 'size'>>
}

const isNotTaken = (error: unknown) => error instanceof SavingError && error.code === 'not_taken'

/** Where there is no service worker: a place that the person chooses, or memory. */
const withoutWorker = async (fileName: string, size: number): Promise<Target> =>
  (await chosenPlace(fileName)) ?? inMemory(fileName, size, followDownload)

async function targetFor(fileName: string, size: number): Promise<Target> {
  try {
    return await browserDownload(fileName)
  } catch (error) {
    if (!isNotTaken(error)) throw error
    return withoutWorker(fileName, size)
  }
}

async function saveTo(target: Target, fileName: string, saving: Saving, size: number): Promise<void> {
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
 * @throws whatever comes instead of the content; SavingError; the signal's reason
 */
export async function saveContent({ fileName, size, open }: Offered, signal: AbortSignal): Promise<void> {
  // Before anything is fetched: nobody should lose a file that there is no way to save.
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
