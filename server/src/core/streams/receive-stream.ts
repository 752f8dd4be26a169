import type { Writable } from 'node:stream'
import { MissingDataError } from '../../data/backend/backend.ts'
import {
  StreamTakenError,
  UnreachableInstanceError,
  type StreamReceiver,
} from '../../data/backend/streams.ts'
import * as errors from '../../domain/errors.ts'
import { fileNotFound } from '../../domain/not-found-errors.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { resetConnection } from '../../io/send/reset-connection.ts'
import { sendSegments } from '../../io/send/send-segments.ts'
import { aliveSince } from '../cluster/heartbeat-timeout.ts'
import type { RecordedDownload, DownloadClient } from '../activity/activity-log.ts'
import { extendExpiry, type Delivery } from '../downloads/send-file.ts'
import type { Base, Metadata, Service, Streams } from '../service.ts'

/** A stream whose sender is connected. */
export interface StreamDelivery extends Delivery {
  readonly type: string
  /** The bytes of the file; null when unknown. */
  readonly size: number | null
}

/** Whether a download of the file is a stream: its sender waits or is sending. */
export const isStreaming = (upload: UploadRecord, file: FileRecord): boolean =>
  upload.stream === 1 && file.status === 'uploading'

/**
 * Takes the stream of a file from the instance that has its sender. At most one recipient gets it.
 * @param options `disconnected` is aborted when the recipient disconnects
 * @throws ServiceError `download_in_progress`, `file_not_found`, `stream_broken`, `unavailable`
 */
export async function receiveStream(
  service: Service,
  upload: UploadRecord,
  file: FileRecord,
  { disconnected, client }: { readonly disconnected: AbortSignal; readonly client: DownloadClient },
): Promise<StreamDelivery> {
  // Before the stream is taken, because an error here must not end it, and a disconnected recipient must not take it.
  await extendExpiry(service, upload)
  disconnected.throwIfAborted()
  const receiving = await findStream(service, file)
  const onDisconnect = () => {
    receiving.fail(disconnected.reason)
  }
  disconnected.addEventListener('abort', onDisconnect)
  if (disconnected.aborted) onDisconnect()
  try {
    const content = await receiving.content
    const download = { uploadId: upload.id, fileId: file.id, client }
    return { ...content, send: (to) => send(service, receiving, { to, download }) }
  } catch (error) {
    receiving.fail(error)
    throw downloadError(error)
  } finally {
    disconnected.removeEventListener('abort', onDisconnect)
  }
}

async function findStream(service: Base & Metadata & Streams, file: FileRecord): Promise<StreamReceiver> {
  const { pipe, relay, store, databaseClock, instance } = service
  try {
    if (file.instance === instance) return pipe.get(file.id)
    const now = await databaseClock.steadyTime()
    const at = file.instance === null ? null : await store.instances.find(file.instance, aliveSince(now))
    // A process without a heartbeat is dead, and the file that it was sending is missing.
    if (at === null) throw new MissingDataError('the sender is not connected to any instance')
    return await relay.get(file.id, at)
  } catch (error) {
    throw downloadError(error)
  }
}

async function send(
  service: Pick<Service, 'activity' | 'buffers' | 'dailyStats' | 'log'>,
  { content, signal, progress, complete, fail }: StreamReceiver,
  { to, download }: { readonly to: Writable; readonly download: RecordedDownload },
): Promise<void> {
  const { activity, buffers, log, dailyStats } = service
  const { chunks, size } = await content
  let sent = 0
  const onProgress = (flushed: number) => {
    sent = flushed
    progress(flushed)
  }
  try {
    const segment = {
      source: () => Promise.resolve(chunks),
      ...(size !== null && { length: size }),
    }
    const cut = () => {
      resetConnection(to)
    }
    await sendSegments([segment], to, { buffers, signal, onProgress, cut })
    dailyStats.downloaded()
    activity.record(download, sent, 'whole')
  } catch (error) {
    activity.record(download, sent, 'broken')
    fail(error)
    log.debug({ err: error }, 'a stream failed')
    throw error
  } finally {
    dailyStats.sent(sent)
  }
  complete()
}

/** The error that the recipient of a failed stream sees. */
function downloadError(error: unknown): errors.ServiceError {
  if (error instanceof StreamTakenError) return errors.downloadInProgress(error)
  if (error instanceof MissingDataError) return fileNotFound(error)
  if (error instanceof UnreachableInstanceError)
    return errors.unavailable('the instance that has the sender', error)
  if (error instanceof errors.ServiceError && error.code === 'file_not_found') return error
  // The sender's own error is sent to the sender.
  return errors.streamBroken(error)
}
