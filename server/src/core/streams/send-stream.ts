import { StreamTakenError, type Sending } from '../../data/backend/streams.ts'
import type { Payer } from '../../domain/access/payer.ts'
import * as errors from '../../domain/errors.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { maxFileSizeOf } from '../../domain/limits/user-limits.ts'
import { passThrough, type PassThroughBody } from '../../io/receive/pass-through.ts'
import { inAccountingTransaction, accountStreamed } from '../stats/usage-accounting.ts'
import { heartbeatTimeoutMs } from '../cluster/heartbeat-timeout.ts'
import { ownerOf } from '../uploads/upload-owner.ts'
import type { IncomingFile } from '../uploads/receive-file.ts'
import { minHeadBytes, detectType } from '../uploads/detect-type.ts'
import type { Base, Clients, Metadata, Operations, Service, Streams } from '../service.ts'
import { sniffBytes } from '../uploads/sniff-type.ts'

/** A request that carries a file which is not read before somebody wants it. */
export interface WaitingSender {
  /** Bytes that are announced for the file; 0 when unknown. */
  readonly expectedSize: number
  /** Aborted when the request breaks while it waits. */
  readonly gone: AbortSignal
  /** Told when somebody who comes for the file would find it. */
  readonly begun?: () => void
  /**
   * Reads the request as far as its file, and lets that be used as it arrives.
   * @param signal gives the request up @throws its reason
   */
  readonly open: <Result>(
    use: (incoming: IncomingFile) => Promise<Result>,
    signal: AbortSignal,
  ) => Promise<Result>
}

/** The same, and whose budgets count it. */
export type ChargedSender = WaitingSender & { readonly payer: Payer | null }

/** How long a head that is too short may keep a downloader waiting, in milliseconds: a live source may be slow. */
const headMs = 500

/**
 * Sends a declared file of a stream upload to whoever downloads it. Resolves when the last byte has been handed to
 * the downloader's socket: the file is then removed, as nothing of it is kept (specification §3). When the stream
 * breaks, the file is missing again and can be sent anew.
 * @throws ServiceError `file_not_missing`, `stream_timeout`, `stream_broken`, `upload_aborted`, `size_mismatch`,
 * `file_too_big`, `budget_reached`, `not_encrypted`, `unavailable`, `file_not_found` when it was removed meanwhile
 */
export async function streamFile(
  service: Service,
  upload: UploadRecord,
  file: FileRecord,
  sender: ChargedSender,
): Promise<FileRecord> {
  const maxSize = maxFileSizeOf(await ownerOf(service, upload), service.config)
  if (maxSize >= 0 && sender.expectedSize > maxSize) throw errors.fileTooBig(maxSize)
  return service.inFlight.during(file.id, () =>
    pass(service, { upload, file, maxSize, payer: sender.payer }, sender),
  )
}

interface Passing {
  readonly upload: UploadRecord
  readonly file: FileRecord
  readonly maxSize: number
  readonly payer: Payer | null
}

async function pass(
  service: Base & Clients & Metadata & Operations & Streams,
  passing: Passing,
  sender: WaitingSender,
): Promise<FileRecord> {
  const { upload, file } = passing
  const sending = await begin(service, file)
  try {
    sender.begun?.()
    await downloader(service, sending, sender.gone)
    const sent = await sender.open(
      (incoming) => handOn(service, { ...passing, sending }, incoming),
      sending.signal,
    )
    const removed = { ...file, ...sent, instance: service.instance }
    await finish(service, upload, removed)
    service.dailyCounters.fileArrived(removed.fileSize)
    return { ...removed, status: 'removed', instance: null }
  } catch (cause) {
    const error = cause instanceof errors.ServiceError ? cause : errors.streamBroken(cause)
    sending.fail(error)
    await giveBack(service, file)
    throw error
  }
}

/** The place in the pipe comes first: who sees that the file is on its way finds its stream. */
async function begin(
  { pipe, store, clock, instance }: Pick<Service, 'clock' | 'instance' | 'pipe' | 'store'>,
  file: FileRecord,
): Promise<Sending> {
  const sending = addTo(pipe, file.id)
  try {
    if (!(await store.files.stream(file, instance, clock.now() - heartbeatTimeoutMs)))
      throw errors.fileNotMissing()
    sending.begun()
    return sending
  } catch (error) {
    sending.fail(error)
    throw error
  }
}

function addTo(pipe: Service['pipe'], key: string): Sending {
  try {
    return pipe.add(key)
  } catch (error) {
    throw error instanceof StreamTakenError ? errors.fileNotMissing(error) : error
  }
}

/** Resolves when somebody has come for the file. */
async function downloader(
  { config, clock }: Pick<Service, 'clock' | 'config'>,
  sending: Sending,
  gone: AbortSignal,
): Promise<void> {
  const onGone = () => {
    sending.fail(gone.reason)
  }
  gone.addEventListener('abort', onGone)
  if (gone.aborted) onGone()
  const stopWaiting = clock.every(config.streamTimeout * 1000, () => {
    sending.fail(errors.streamTimeout())
  })
  try {
    await sending.taken
  } finally {
    stopWaiting()
    gone.removeEventListener('abort', onGone)
  }
}

/** The bytes on their way through: looked at and counted, but neither kept nor hashed. */
async function handOn(
  { clock, budgets }: Pick<Service, 'budgets' | 'clock'>,
  { upload, file, maxSize, payer, sending }: Passing & { readonly sending: Sending },
  incoming: IncomingFile,
): Promise<Pick<FileRecord, 'type' | 'fileSize'>> {
  const declared = file.fileSize > 0 ? file.fileSize : null
  let paid = 0
  const through: PassThroughBody = passThrough(incoming.bytes, {
    headSize: sniffBytes,
    checkSize(size) {
      if (maxSize >= 0 && size > maxSize) throw errors.fileTooBig(maxSize)
      if (declared !== null && size > declared) throw errors.sizeMismatch(declared)
      budgets.spend(payer, 'bytes', size - paid)
      paid = size
    },
    async complete() {
      await incoming.complete()
      if (declared !== null && through.size() !== declared) throw errors.sizeMismatch(declared)
    },
    // The sender is told what was wrong with the bytes, rather than what came of it at the other side.
    onFailure: sending.fail,
    signal: incoming.signal,
  })
  const stopHurrying = clock.every(headMs, () => {
    through.resolveHead(minHeadBytes)
  })
  try {
    const type = await detectType(upload, await through.head)
    await sending.give({ type, size: declared, chunks: through.chunks })
    return { type, fileSize: through.size() }
  } finally {
    stopHurrying()
    through.abandon()
  }
}

/** uploading → removed. An upload that came to its end while the last bytes passed has removed the file already. */
async function finish(
  { store }: Pick<Service, 'store'>,
  upload: UploadRecord,
  file: FileRecord,
): Promise<void> {
  if (await inAccountingTransaction(store, (books) => accountStreamed(books, upload, file))) return
  const current = await store.files.find(upload.id, file.id)
  if (current?.status !== 'removed' && current?.status !== 'deleted') throw errors.streamBroken()
}

/** What cannot be given back now (the database is away), cleaning will. */
async function giveBack(
  { store, log, instance }: Pick<Service, 'instance' | 'log' | 'store'>,
  file: FileRecord,
): Promise<void> {
  try {
    if (!(await store.files.giveBack(file, instance))) await store.files.letGo(file)
  } catch (error) {
    log.error({ err: error, file: file.id }, 'a broken stream could not be given back yet')
  }
}
