import { hash } from 'node:crypto'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { archiveNameSteps } from '@svc/contract'
import { fairQueue } from '../../domain/collections/fair-queue.ts'
import { tooManyArchives } from '../../domain/errors.ts'
import { isCounted } from '../../domain/limits/download-limit.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { filesInBatches } from '../../metadata/files/file-batches.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import { archiveLayout, type ArchiveLayout } from './archive-layout.ts'

/** A file in an archive. Its name is only in the layout, because a download keeps it in memory. */
export interface ArchivedFile extends Pick<
  FileRecord,
  'id' | 'uploadId' | 'fileSize' | 'createdAt' | 'uploadedAt'
> {
  /** Whether its downloads count. */
  readonly isCounted: boolean
}

/** The stored files of an upload, and the bytes of their archive. */
export interface ArchivePlan {
  readonly files: readonly ArchivedFile[]
  readonly layout: ArchiveLayout
}

export interface ArchivePlanner {
  /**
   * Plans an archive, byte for byte: a pure function of the names, sizes, times and checksums of the stored files.
   * @param network network of the client
   * @throws ServiceError `unavailable` when too many archives are being planned
   */
  readonly plan: (
    store: Pick<MetadataStore, 'files'>,
    upload: UploadRecord,
    network: string,
  ) => Promise<ArchivePlan>
}

/** An archive of fewer files is planned at once. */
const maxUnqueuedFiles = 100

/** The maximum number of waiting requests: some seconds of work. */
const maxWaiting = 64

/**
 * Plans archives between other requests. A thousand long names take a tenth of a second and several megabytes, so
 * archives of many files are planned one at a time, in a queue that is fair to all networks, and equal plans share
 * their memory.
 */
export function archivePlanner(): ArchivePlanner {
  const queue = fairQueue<'archives'>({ parallel: 1, maxWaiting, full: tooManyArchives })
  const shared = sharedPlans()
  return {
    async plan(store, upload, network) {
      const make = async () => planFrom(upload, await storedFiles(store, upload.id))
      if (upload.fileCount <= maxUnqueuedFiles) return make()
      return queue.run({ queue: 'archives', network }, async () => shared(upload.id, await make()))
    },
  }
}

async function storedFiles(store: Pick<MetadataStore, 'files'>, uploadId: string): Promise<FileRecord[]> {
  const { first, rest } = await filesInBatches(store, uploadId)
  const files = first.filter(isStored)
  if (rest !== null) for await (const batch of rest) files.push(...batch.filter(isStored))
  return files
}

const isStored = ({ status }: FileRecord) => status === 'uploaded'

async function planFrom(upload: UploadRecord, files: readonly FileRecord[]): Promise<ArchivePlan> {
  const names = await runSteps(archiveNameSteps(files.map(({ fileName }) => fileName)))
  const entries = files.map(({ id, fileSize, crc32, uploadedAt, createdAt }, index) => ({
    name: names[index] ?? id,
    size: fileSize,
    crc32,
    modified: uploadedAt ?? createdAt,
  }))
  return {
    files: files.map((file) => {
      const { id, uploadId, fileSize, createdAt, uploadedAt } = file
      return { id, uploadId, fileSize, createdAt, uploadedAt, isCounted: isCounted(upload, file) }
    }),
    layout: archiveLayout(entries),
  }
}

/** Runs work step by step, so that other requests are served between two steps. */
async function runSteps<Result>(steps: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await nextIteration()
  }
}

/** Replaces a plan by an equal one that a download still uses. */
function sharedPlans(): (uploadId: string, plan: ArchivePlan) => ArchivePlan {
  const plans = new Map<string, WeakRef<ArchivePlan>>()
  const unused = new FinalizationRegistry((key: string) => {
    if (plans.get(key)?.deref() === undefined) plans.delete(key)
  })
  return (uploadId, plan) => {
    const ids = plan.files.map(({ id }) => id)
    const key = hash('sha256', [uploadId, plan.layout.etag, ...ids].join(' '), 'base64url')
    const known = plans.get(key)?.deref()
    if (known !== undefined) return known
    plans.set(key, new WeakRef(plan))
    unused.register(plan, key)
    return plan
  }
}
