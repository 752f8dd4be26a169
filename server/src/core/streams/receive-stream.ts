import type { Writable } from 'node:stream'
import { MissingDataError } from '../../data/backend/backend.ts'
import { StreamTakenError, UnreachableInstanceError, type Receiving } from '../../data/backend/streams.ts'
import * as errors from '../../domain/errors.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { resetConnection } from '../../io/send/reset-connection.ts'
import { sendSegments } from '../../io/send/send-segments.ts'
import { aliveSince } from '../cluster/heartbeat-timeout.ts'
import { prolong, type Delivery } from '../downloads/send-file.ts'
import type { Base, Metadata, Service, Streams } from '../service.ts'

/** A stream that has begun. */
export interface StreamDelivery extends Delivery {
  readonly type: string
  /** Bytes; null when nobody knows. */
  readonly size: number | null
}

/** Whether a download of the file is a stream: whoever sends it waits, or is sending. */
export const isStreaming = (upload: UploadRecord, file: FileRecord): boolean =>
  upload.stream === 1 && file.status === 'uploading'

/**
 * Takes the stream of a file, from whatever instance its sender is at. Two downloaders cannot both have it.
 * @param gone aborted when the downloader goes away
 * @throws ServiceError `download_in_progress`, `file_not_found`, `stream_broken`, `unavailable`
 */
export async function receiveStream(
  service: Service,
  upload: UploadRecord,
  file: FileRecord,
  gone: AbortSignal,
): Promise<StreamDelivery> {
  // Before the stream is taken: what fails here must not break it, nor may it go to who is gone by then.
  await prolong(service, upload)
  gone.throwIfAborted()
  const receiving = await findStream(service, file)
  const onGone = () => {
    receiving.fail(gone.reason)
  }
  gone.addEventListener('abort', onGone)
  if (gone.aborted) onGone()
  try {
    const content = await receiving.content
    return { ...content, send: (to) => send(service, receiving, to) }
  } catch (error) {
    receiving.fail(error)
    throw refusalFor(error)
  } finally {
    gone.removeEventListener('abort', onGone)
  }
}

async function findStream(service: Base & Metadata & Streams, file: FileRecord): Promise<Receiving> {
  const { pipe, relay, store, databaseClock, instance } = service
  try {
    if (file.instance === instance) return pipe.get(file.id)
    const now = await databaseClock.judgement()
    const at = file.instance === null ? null : await store.instances.find(file.instance, aliveSince(now))
    // A process that has not been heard of is dead, and what it was sending is missing.
    if (at === null) throw new MissingDataError('the sender is nowhere')
    return await relay.get(file.id, at)
  } catch (error) {
    throw refusalFor(error)
  }
}

async function send(
  { buffers, log, dailyCounters: daily }: Pick<Service, 'buffers' | 'dailyCounters' | 'log'>,
  { content, signal, done, fail }: Receiving,
  to: Writable,
): Promise<void> {
  const { chunks, size } = await content
  let sent = 0
  const onProgress = (flushed: number) => {
    sent = flushed
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
    daily.downloaded()
  } catch (error) {
    fail(error)
    log.debug({ err: error }, 'a stream broke off')
    throw error
  } finally {
    daily.sent(sent)
  }
  done()
}

/** What the downloader of a stream is told when it does not come about. */
function refusalFor(error: unknown): errors.ServiceError {
  if (error instanceof StreamTakenError) return errors.downloadInProgress(error)
  if (error instanceof MissingDataError) return errors.fileNotFound(error)
  if (error instanceof UnreachableInstanceError)
    return errors.unavailable('the instance that has the sender', error)
  if (error instanceof errors.ServiceError && error.code === 'file_not_found') return error
  // Whatever the sender did wrong, or suffered, is told to the sender.
  return errors.streamBroken(error)
}
