import { StreamTakenError, type StreamSender } from '../../data/backend/streams.ts'
import type { BudgetKey } from '../../domain/access/budget-key.ts'
import * as errors from '../../domain/errors.ts'
import type { FileRecord, UploadRecord, UserRecord } from '../../domain/records.ts'
import { passThrough, type PassThroughBody } from '../../io/receive/pass-through.ts'
import { inAccountingTransaction, recordStreamed } from '../stats/usage-accounting.ts'
import { maxFileSizeOf, requireFileSize } from '../limits/file-size.ts'
import { heartbeatTimeoutMs } from '../cluster/heartbeat-timeout.ts'
import { ownerOf } from '../uploads/upload-owner.ts'
import type { IncomingFile } from '../uploads/receive/receive-file.ts'
import { minHeadBytes, detectType } from '../uploads/media-type/detect-type.ts'
import type { Base, Clients, Metadata, Operations, Service, Streams } from '../service.ts'
import { sniffBytes } from '../uploads/media-type/sniff-type.ts'

/** A request whose file is read only when a recipient asks for it. */
export interface WaitingSender {
  /** The announced bytes of the file; 0 when unknown. */
  readonly expectedSize: number
  /** Aborted when the request is interrupted while it waits. */
  readonly disconnected: AbortSignal
  /** Called when a recipient can find the file. */
  readonly onReady?: () => void
  /**
   * Reads the request up to its file, and passes the file on as it arrives.
   * @param signal cancels the request
   * @throws its reason
   */
  readonly open: <Result>(
    use: (incoming: IncomingFile) => Promise<Result>,
    signal: AbortSignal,
  ) => Promise<Result>
}

/** A waiting sender with its budget key. */
export type ChargedSender = WaitingSender & { readonly budgetKey: BudgetKey | null }

/** The time after which a short head is passed on, in milliseconds: a live source may be slow. */
const headMs = 500

/**
 * Sends a declared file of a stream upload to its recipient. Resolves when the last byte has been handed to the
 * recipient's socket: the file is then removed, because a stream is not stored (docs/protocol.md#streams). When the
 * stream fails, the file is missing again and can be sent again.
 * @throws ServiceError `file_not_missing`, `stream_timeout`, `stream_broken`, `upload_aborted`, `size_mismatch`,
 * `file_too_big`, `budget_reached`, `not_encrypted`, `unavailable`, `file_not_found` when the file was removed in
 * the meantime
 */
export async function streamFile(
  service: Service,
  upload: UploadRecord,
  file: FileRecord,
  sender: ChargedSender,
): Promise<FileRecord> {
  const owner = await ownerOf(service, upload)
  requireFileSize(service, owner, upload, sender.expectedSize)
  return service.inFlight.during(file.id, () =>
    pass(service, { upload, owner, file, budgetKey: sender.budgetKey }, sender),
  )
}

interface StreamInFlight {
  readonly upload: UploadRecord
  readonly owner: UserRecord | null
  readonly file: FileRecord
  readonly budgetKey: BudgetKey | null
}

async function pass(
  service: Base & Clients & Metadata & Operations & Streams,
  stream: StreamInFlight,
  sender: WaitingSender,
): Promise<FileRecord> {
  const { upload, file } = stream
  const streamSender = await begin(service, file)
  try {
    sender.onReady?.()
    await waitForRecipient(service, streamSender, sender.disconnected)
    const sent = await sender.open(
      (incoming) => forward(service, { ...stream, streamSender }, incoming),
      streamSender.signal,
    )
    const removed = { ...file, ...sent, instance: service.instance }
    await finish(service, upload, removed)
    service.dailyStats.fileArrived(removed.fileSize)
    return { ...removed, downloads: 1, status: 'removed', instance: null }
  } catch (cause) {
    const error = cause instanceof errors.ServiceError ? cause : errors.streamBroken(cause)
    streamSender.fail(error)
    await revert(service, file)
    throw error
  }
}

/**
 * Registers the stream before it updates the file: a request that sees the status `uploading` finds the stream.
 */
async function begin(
  { pipe, store, clock, instance }: Pick<Service, 'clock' | 'instance' | 'pipe' | 'store'>,
  file: FileRecord,
): Promise<StreamSender> {
  const streamSender = addTo(pipe, file.id)
  try {
    if (!(await store.files.startStream(file, instance, clock.now() - heartbeatTimeoutMs)))
      throw errors.fileNotMissing()
    streamSender.started()
    return streamSender
  } catch (error) {
    streamSender.fail(error)
    throw error
  }
}

function addTo(pipe: Service['pipe'], key: string): StreamSender {
  try {
    return pipe.add(key)
  } catch (error) {
    throw error instanceof StreamTakenError ? errors.fileNotMissing(error) : error
  }
}

/** Resolves when a recipient has taken the file. */
async function waitForRecipient(
  { config, clock }: Pick<Service, 'clock' | 'config'>,
  streamSender: StreamSender,
  disconnected: AbortSignal,
): Promise<void> {
  const onDisconnect = () => {
    streamSender.fail(disconnected.reason)
  }
  disconnected.addEventListener('abort', onDisconnect)
  if (disconnected.aborted) onDisconnect()
  const stopWaiting = clock.every(config.streamTimeout * 1000, () => {
    streamSender.fail(errors.streamTimeout())
  })
  try {
    await streamSender.accepted
  } finally {
    stopWaiting()
    disconnected.removeEventListener('abort', onDisconnect)
  }
}

/** Forwards the bytes: detects their type and counts them, but neither stores nor hashes them. */
async function forward(
  service: Pick<Service, 'budgets' | 'clock' | 'config'>,
  { upload, owner, file, budgetKey, streamSender }: StreamInFlight & { readonly streamSender: StreamSender },
  incoming: IncomingFile,
): Promise<Pick<FileRecord, 'type' | 'fileSize'>> {
  const { clock, budgets } = service
  const declared = file.fileSize > 0 ? file.fileSize : null
  // Once, because each chunk is checked.
  const maxSize = maxFileSizeOf(service, owner, upload)
  let charged = 0
  const through: PassThroughBody = passThrough(incoming.bytes, {
    headSize: sniffBytes,
    checkSize(size) {
      if (maxSize >= 0 && size > maxSize) throw errors.fileTooBig(maxSize)
      if (declared !== null && size > declared) throw errors.sizeMismatch(declared)
      budgets.spend(budgetKey, 'bytes', size - charged)
      charged = size
    },
    async complete() {
      await incoming.complete()
      if (declared !== null && through.size() !== declared) throw errors.sizeMismatch(declared)
    },
    // Before the recipient fails, so that the sender gets the error of the bytes, not its effect on the recipient.
    onFailure: streamSender.fail,
    signal: incoming.signal,
  })
  let isShortened = false
  const stopTimer = clock.every(headMs, () => {
    isShortened ||= through.resolveHead(minHeadBytes(upload))
  })
  try {
    const head = await through.head
    const type = await detectType(upload, head, isShortened ? { complete: false } : {})
    await streamSender.send({ type, size: declared, chunks: through.chunks })
    return { type, fileSize: through.size() }
  } finally {
    stopTimer()
    through.cancel()
  }
}

/** Records that the stream has ended. If the upload expired during the last bytes, the file is removed already. */
async function finish(
  { store }: Pick<Service, 'store'>,
  upload: UploadRecord,
  file: FileRecord,
): Promise<void> {
  if (await inAccountingTransaction(store, (transaction) => recordStreamed(transaction, upload, file))) return
  const current = await store.files.find(upload.id, file.id)
  if (current?.status !== 'removed' && current?.status !== 'deleted') throw errors.streamBroken()
}

/** Makes the file missing again. Cleanup does it if the database is unavailable. */
async function revert(
  { store, log, instance }: Pick<Service, 'instance' | 'log' | 'store'>,
  file: FileRecord,
): Promise<void> {
  try {
    if (!(await store.files.resetStream(file, instance))) await store.files.clearInstance(file)
  } catch (error) {
    log.error({ err: error, file: file.id }, 'the file of a failed stream could not be reset yet')
  }
}
