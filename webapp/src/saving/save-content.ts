import { browserTarget } from './browser-target.ts'
import { pickTarget } from './picked-target.ts'
import { memoryTarget } from './memory-target.ts'
import { SavingError, type SaveOptions, type Target } from './target.ts'

export interface SaveRequest {
  readonly fileName: string
  /** Approximate bytes. */
  readonly size: number
  /** Starts the download, once the target is ready. */
  readonly open: (signal: AbortSignal) => Promise<Pick<SaveOptions, 'content' | 'size'>>
}

const isNotTaken = (error: unknown) => error instanceof SavingError && error.code === 'not_taken'

/** The target without a service worker: a picked file, or memory. */
const withoutWorker = async (fileName: string, size: number): Promise<Target> =>
  (await pickTarget(fileName)) ?? memoryTarget(fileName, size)

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
 * Saves a stream, without holding it in memory where the browser can. An interrupted stream never becomes a finished file.
 * @throws errors of the content; SavingError; the signal's reason
 */
export async function saveContent({ fileName, size, open }: SaveRequest, signal: AbortSignal): Promise<void> {
  // The target comes first, so that a one-shot file is not lost because it cannot be saved.
  const target = await targetFor(fileName, size)
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  try {
    await saveTo(target, fileName, { ...(await open(either)), signal: either }, size)
  } catch (error) {
    await target.cancel()
    throw error
  } finally {
    // A target may stop early: this closes the connection.
    stop.abort()
  }
}
