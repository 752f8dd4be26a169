import type { Logger } from 'pino'
import { MissingDataError } from '../../data/backend/backend.ts'
import type { Clock } from '../../domain/clock.ts'
import { shortId } from '../../domain/ids.ts'
import type { FileRecord } from '../../domain/records.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import { logInterval } from '../../platform/log-interval.ts'

/** Files of the database whose bytes the data store does not have. */
export interface MissingFiles {
  /**
   * Passes the result of a read on. When the bytes are missing, it logs the file: each at most once, and one a minute, with the
   * number of those found since the last line.
   * @throws the error of the read
   */
  readonly watch: <Result>(
    file: Pick<FileRecord, 'id' | 'uploadId'>,
    read: Promise<Result>,
  ) => Promise<Result>
  /**
   * The same bytes. Those of a store on the network may turn out to be missing while they are read, when a broken connection is
   * replaced: the file is then logged as by `watch`.
   */
  readonly watchBytes: (
    file: Pick<FileRecord, 'id' | 'uploadId'>,
    bytes: AsyncIterable<Uint8Array>,
  ) => AsyncIterable<Uint8Array>
}

/** The number of files that are remembered. */
const maxReported = 10_000

interface MissingFilesOptions {
  readonly store: { readonly files: Pick<MetadataStore['files'], 'find'> }
  readonly log: Pick<Logger, 'warn'>
  /** For durations. */
  readonly clock: Pick<Clock, 'now'>
}

export function missingFiles({ store, log, clock }: MissingFilesOptions): MissingFiles {
  const reported = new Set<string>()
  const logOncePerMinute = logInterval(clock)
  let found = 0

  const report = async ({ id, uploadId }: Pick<FileRecord, 'id' | 'uploadId'>) => {
    if (reported.has(id)) return
    if (reported.size >= maxReported) reported.clear()
    reported.add(id)
    // The file may have been removed after the request for it was accepted.
    const current = await store.files.find(uploadId, id).catch(() => undefined)
    if (current?.status !== 'uploaded') return
    found += 1
    logOncePerMinute(() => {
      log.warn(
        { upload: shortId(uploadId), file: shortId(id), files: found },
        'the data store does not have the bytes of a file: svcd verify lists all of them',
      )
      found = 0
    })
  }
  const watch: MissingFiles['watch'] = async (file, read) => {
    try {
      return await read
    } catch (error) {
      if (error instanceof MissingDataError) await report(file)
      throw error
    }
  }
  return {
    watch,
    watchBytes: (file, bytes) => ({
      // Not a generator: its `return` would not reach the store before the first chunk.
      [Symbol.asyncIterator]() {
        const iterator = bytes[Symbol.asyncIterator]()
        return {
          next: () => watch(file, iterator.next()),
          return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
        }
      },
    }),
  }
}
