import type { Logger } from 'pino'
import type { Clock } from '../../domain/clock.ts'
import type { UploadRecord } from '../../domain/records.ts'
import { writeBatches } from './write-batches.ts'

/** The maximum number of uploads that wait for a write. Further ones are not reported. */
const waitingUploads = 2_500

/** The maximum number of reported uploads that are remembered. One that is forgotten costs a write without effect. */
const rememberedUploads = 10_000

/** An upload is reported once within each of these periods after its creation, in ms. */
const periodMs = 3_600_000

/** Files that have arrived for an upload request. */
export interface Arrival {
  readonly uploadId: string
  readonly requestId: string
  /** When the first of them arrived, in ms. */
  readonly arrivedAt: number
  /** The number of whole periods between the creation of the upload and the arrival. */
  readonly period: number
}

/**
 * Reports the uploads to which files have arrived for an upload request. They wait in memory and are written at an interval,
 * together with the downloads, so that no file causes a write.
 */
export interface ArrivalLog {
  /** Records that a file of an upload has arrived. Uploads without a request are ignored. */
  readonly record: (upload: Pick<UploadRecord, 'id' | 'requestId' | 'createdAt'>) => void
  /** Writes what waits. Arrivals that cannot be written now stay for the next write. Never rejects. */
  readonly write: () => Promise<void>
}

export interface ArrivalOptions {
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  /**
   * Publishes the events of arrivals in one transaction.
   * @throws DatabaseError
   */
  readonly publish: (arrivals: readonly Arrival[]) => Promise<void>
}

export function arrivalLog({ clock, log, publish }: ArrivalOptions): ArrivalLog {
  let waiting = new Map<string, Arrival>()
  /** The periods in which uploads were last reported. */
  const reported = new Map<string, number>()
  const wait = (arrival: Arrival) => {
    if (waiting.size < waitingUploads && !waiting.has(arrival.uploadId))
      waiting.set(arrival.uploadId, arrival)
  }
  const remember = ({ uploadId, period }: Arrival) => {
    reported.delete(uploadId)
    reported.set(uploadId, period)
    const [oldest] = reported.keys()
    if (oldest !== undefined && reported.size > rememberedUploads) reported.delete(oldest)
  }
  const writeWaiting = async () => {
    const taken = [...waiting.values()]
    waiting = new Map()
    const failed = await writeBatches(taken, async (batch) => {
      await publish(batch)
      for (const arrival of batch) remember(arrival)
    })
    if (failed === null) return
    for (const arrival of failed.left) wait(arrival)
    log.warn({ err: failed.error }, 'arrivals could not be reported')
  }
  let lastWrite = Promise.resolve()
  return {
    record({ id, requestId, createdAt }) {
      if (requestId === null) return
      const arrivedAt = clock.now()
      const period = Math.max(0, Math.floor((arrivedAt - createdAt) / periodMs))
      if (reported.get(id) !== period) wait({ uploadId: id, requestId, arrivedAt, period })
    },
    write: () => (lastWrite = lastWrite.then(writeWaiting)),
  }
}
