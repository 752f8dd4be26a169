import { readLocked, type LockedFile } from '@svc/encryption'
import { followDownload } from '../download/follow-download.ts'
import { bodyOf, fetchEncrypted, type EncryptedFile } from './encrypted-file.ts'
import { sharedEngine } from './engine.ts'
import { keysOf } from './keys-of.ts'
import { isRefusedKey } from './refused-key.ts'
import { browserDownload } from './saving/browser-download.ts'
import { chosenPlace } from './saving/chosen-place.ts'
import { inMemory } from './saving/memory.ts'
import { SavingError, type Content, type Saving, type Target } from './saving/target.ts'

export interface SaveOptions {
  /** The key, asked for when there is none, or when the last did not open the file; undefined gives up. */
  readonly key: (refused: boolean) => Promise<string | undefined>
  /** @param total bytes of the content; undefined when nobody knows */
  readonly onProgress: (bytes: number, total: number | undefined) => void
  readonly signal: AbortSignal
}

const lastSegment = (fileName: string) => fileName.split('/').at(-1) ?? fileName

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

const givenUp = () => new SavingError('given_up', 'no key was given')

/** Tries keys on one and the same stream, since some files can be fetched only once. */
async function unlocked(locked: LockedFile, key: SaveOptions['key']): Promise<Content> {
  let given = await key(false)
  for (;;) {
    if (given === undefined) throw givenUp()
    try {
      return await locked.unlock(keysOf(given))
    } catch (error) {
      if (!isRefusedKey(error)) throw error
      given = await key(true)
    }
  }
}

async function* counted(
  content: Content,
  onProgress: (bytes: number) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let bytes = 0
  for await (const chunk of content) {
    // A target may give the chunk away.
    bytes += chunk.length
    yield chunk
    onProgress(bytes)
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
 * Downloads a file, decrypts it on the way and saves it, without holding it in memory where the browser has a way. What
 * is not whole, or was changed, never becomes a finished file.
 * @throws EncryptionError, ApiError, SavingError; the signal's reason
 */
export async function saveDecrypted(
  of: EncryptedFile,
  { key, onProgress, signal }: SaveOptions,
): Promise<void> {
  const { fileSize } = of.file
  const fileName = lastSegment(of.file.fileName)
  // Before anything is fetched: nobody should lose a file that there is no way to save.
  const target = await targetFor(fileName, fileSize)
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  try {
    const response = await fetchEncrypted(of, { signal: either })
    const length = Number(response.headers.get('content-length') ?? fileSize)
    const locked = await readLocked(bodyOf(response), { engine: await sharedEngine(), signal: either })
    const content = await unlocked(locked, key)
    const size = length > 0 ? locked.plainSize(length) : undefined
    onProgress(0, size)
    const watched = counted(content, (bytes) => onProgress(bytes, size))
    await saveTo(target, fileName, { content: watched, size, signal: either }, fileSize)
  } catch (error) {
    await target.abandon()
    throw error
  } finally {
    // Also where a target did not want all of it: the connection is let go.
    stop.abort()
  }
}
