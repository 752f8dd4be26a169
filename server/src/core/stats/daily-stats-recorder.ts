import type { Logger } from 'pino'
import type { Clock } from '../../domain/clock.ts'
import {
  dayMs,
  dayOf,
  statsOfUpload,
  sizeStatOf,
  type StoredStatName,
} from '../../domain/limits/daily-stats.ts'
import type { UploadRecord } from '../../domain/records.ts'
import type { DailyStat } from '../../metadata/stats/daily-stats.ts'
import { DatabaseError } from '../../metadata/dialects/errors.ts'

/** The interval between two writes: the maximum loss when a process is killed. */
const writeMs = 60_000

/**
 * Counts the events of each day in memory, and adds them to the database at an interval, so that no request waits for the
 * database. The counters of all instances add up.
 */
export interface DailyStatsRecorder {
  readonly uploadCreated: (upload: Pick<UploadRecord, 'ttl' | 'options'>) => void
  /**
   * Counts a complete file.
   * @param size bytes
   */
  readonly fileArrived: (size: number) => void
  /** Counts sent bytes of files and archives. */
  readonly sent: (bytes: number) => void
  /**
   * Counts a download when the last byte of a file or archive was sent: a download may take several requests, and one of
   * them has the last byte.
   */
  readonly downloaded: () => void
  /** Adds the counts to the database. Counts that cannot be added now stay for the next write. Never rejects. */
  readonly write: () => Promise<void>
}

export interface DailyStatsOptions {
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  /**
   * Adds to the stored counters in one transaction.
   * @throws DatabaseError
   */
  readonly add: (counted: readonly DailyStat[]) => Promise<void>
}

export function dailyStatsRecorder({ clock, log, add }: DailyStatsOptions): DailyStatsRecorder {
  const counts = countsByDay()
  const today = dayReader(clock)
  const count = (name: StoredStatName, value: number) => {
    if (value > 0) counts.add({ day: today(), name, value })
  }
  const writeCounted = async () => {
    const counted = counts.take()
    if (counted.length === 0) return
    try {
      await add(counted)
    } catch (error) {
      // An undecided write may have succeeded, and is not repeated.
      if (!(error instanceof DatabaseError && error.kind === 'undecided'))
        for (const counter of counted) counts.add(counter)
      log.warn({ err: error }, 'the daily stats could not be written')
    }
  }
  let lastWrite = Promise.resolve()
  return {
    uploadCreated(upload) {
      for (const name of statsOfUpload(upload)) count(name, 1)
    },
    fileArrived(size) {
      count('files', 1)
      count('bytesIn', size)
      count(sizeStatOf(size), 1)
    },
    sent: (bytes) => {
      count('bytesOut', bytes)
    },
    downloaded: () => {
      count('downloads', 1)
    },
    write: () => (lastWrite = lastWrite.then(writeCounted)),
  }
}

/** Returns the current day. Formatting a date costs more than counting, so it happens once a day. */
function dayReader(clock: Clock): () => string {
  let cached = { number: NaN, day: '' }
  return () => {
    const now = clock.now()
    const number = Math.floor(now / dayMs)
    if (number !== cached.number) cached = { number, day: dayOf(now) }
    return cached.day
  }
}

function countsByDay() {
  let days = new Map<string, Map<string, number>>()
  return {
    add({ day, name, value }: DailyStat): void {
      let counts = days.get(day)
      if (counts === undefined) days.set(day, (counts = new Map<string, number>()))
      counts.set(name, (counts.get(name) ?? 0) + value)
    },
    take(): readonly DailyStat[] {
      const taken = days
      days = new Map()
      return [...taken].flatMap(([day, counts]) => [...counts].map(([name, value]) => ({ day, name, value })))
    },
  }
}

/**
 * Writes the daily stats at an interval.
 * @returns stops the interval and resolves once everything is written
 */
export function scheduleDailyStats(
  clock: Clock,
  { write }: Pick<DailyStatsRecorder, 'write'>,
): () => Promise<void> {
  const stop = clock.every(writeMs, () => {
    void write() // It logs failures, and never rejects.
  })
  return () => {
    stop()
    return write()
  }
}
