import type { ByteRange, DataBackend } from '../../data/backend/backend.ts'
import { readRange } from '../../data/backend/read-range.ts'
import type { Clock } from '../../domain/clock.ts'
import type { FileRecord } from '../../domain/records.ts'

type Reads = Pick<DataBackend, 'get' | 'open'>

/** The contents of small files that were downloaded recently. */
export interface SmallFileCache {
  /**
   * The content of a stored file whose row was just read: the row alone says whether it may be sent. The content of a
   * key never changes.
   * @returns null for larger files, and for a file that is shorter than its row says
   * @throws MissingDataError, StoreUnavailableError
   */
  readonly read: (file: Pick<FileRecord, 'id' | 'fileSize'>) => Promise<Uint8Array | null>
}

/** Largest file in the cache, in bytes. To read a larger one takes much longer than to open it. */
const maxCachedFile = 16 * 1024

/** Maximum size of a generation in bytes; the cache has two. */
const maxGeneration = 4 * 1024 * 1024

/** Rough size in bytes of an entry without its content: empty files count, too. */
const entrySize = 256

/** Minimum time in ms that an unused file stays in memory. A later download of another file removes it. */
const generationMs = 60_000

/**
 * To open, read and close a file takes 40 % of the event loop's time for a small download, because each call wakes
 * another thread. Files that are downloaded again within a minute move to the younger generation and stay.
 */
export function smallFileCache(data: Reads, clock: Pick<Clock, 'now'>): SmallFileCache {
  let young = new Map<string, Uint8Array>()
  let old = new Map<string, Uint8Array>()
  let bytes = 0
  let since = clock.now()

  const startGeneration = () => {
    old = young
    young = new Map()
    bytes = 0
    since = clock.now()
  }
  const remember = (id: string, content: Uint8Array) => {
    const size = content.length + entrySize
    if (bytes + size > maxGeneration) startGeneration()
    young.set(id, content)
    bytes += size
  }
  return {
    async read({ id, fileSize }) {
      if (fileSize > maxCachedFile) return null
      if (clock.now() - since >= generationMs) startGeneration()
      const recent = young.get(id)
      if (recent !== undefined) return recent
      const content = old.get(id) ?? (await readWhole(data, id, fileSize))
      if (content !== null) remember(id, content)
      return content
    },
  }
}

/** The fastest way of the backend, as for larger files. */
const open = async ({ open, get }: Reads, id: string, range: ByteRange) =>
  open === undefined ? get(id, range) : readRange(await open(id), range)

async function readWhole(data: Reads, id: string, size: number): Promise<Uint8Array | null> {
  const content = new Uint8Array(size)
  let length = 0
  for await (const chunk of await open(data, id, { start: 0, end: size - 1 })) {
    if (length + chunk.length > size) return null
    content.set(chunk, length)
    length += chunk.length
  }
  return length === size ? content : null
}
