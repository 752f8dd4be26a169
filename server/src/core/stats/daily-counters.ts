import type { Logger } from 'pino'
import type { Clock } from '../../domain/clock.ts'
import {
  dayMs,
  dayOf,
  figuresOfUpload,
  sizeFigureOf,
  type DailyCounterName,
} from '../../domain/limits/daily-counters.ts'
import type { UploadRecord } from '../../domain/records.ts'
import type { DailyCounter } from '../../metadata/stats/daily-counters.ts'
import { DatabaseError } from '../../metadata/dialects/errors.ts'

/** Between two writes: what is lost at most when a process is killed. */
const writeMs = 60_000

/**
 * What happens on each day, counted in memory and added to the database now and then: no request waits for it. The
 * figures of all processes add up.
 */
export interface DailyCounters {
  readonly uploadCreated: (upload: Pick<UploadRecord, 'ttl' | 'options'>) => void
  /** A file is there whole. @param size bytes */
  readonly fileArrived: (size: number) => void
  /** Bytes of files or archives went out. */
  readonly sent: (bytes: number) => void
  /** The last byte of a file or archive went out: however many requests it took, there is one that has it. */
  readonly downloaded: () => void
  /** Adds what has been counted to the database. What cannot be added now stays for the next time. */
  readonly write: () => Promise<void>
}

export interface DailyCountersOptions {
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  /** Adds to the figures that are kept, all or nothing. @throws DatabaseFailure */
  readonly add: (counted: readonly DailyCounter[]) => Promise<void>
}

export function dailyCounters({ clock, log, add }: DailyCountersOptions): DailyCounters {
  const counts = countsByDay()
  const today = dayTeller(clock)
  const count = (name: string, value: number) => {
    if (value > 0) counts.add({ day: today(), name, value })
  }
  const countDay: (name: DailyCounterName, value: number) => void = count
  const writeCounted = async () => {
    const counted = counts.take()
    if (counted.length === 0) return
    try {
      await add(counted)
    } catch (error) {
      // What may have been added is not added again.
      if (!(error instanceof DatabaseError && error.kind === 'undecided'))
        for (const figure of counted) counts.add(figure)
      log.warn({ err: error }, 'the daily figures could not be written')
    }
  }
  let writing = Promise.resolve()
  return {
    uploadCreated(upload) {
      for (const name of figuresOfUpload(upload)) count(name, 1)
    },
    fileArrived(size) {
      countDay('files', 1)
      countDay('bytesIn', size)
      count(sizeFigureOf(size), 1)
    },
    sent: (bytes) => {
      countDay('bytesOut', bytes)
    },
    downloaded: () => {
      countDay('downloads', 1)
    },
    write: () => (writing = writing.then(writeCounted)),
  }
}

/** Which day it is. To write a date out costs more than all the counting, so it is done once a day. */
function dayTeller(clock: Clock): () => string {
  let known = { number: NaN, day: '' }
  return () => {
    const now = clock.now()
    const number = Math.floor(now / dayMs)
    if (number !== known.number) known = { number, day: dayOf(now) }
    return known.day
  }
}

function countsByDay() {
  let days = new Map<string, Map<string, number>>()
  return {
    add({ day, name, value }: DailyCounter): void {
      let counts = days.get(day)
      if (counts === undefined) days.set(day, (counts = new Map<string, number>()))
      counts.set(name, (counts.get(name) ?? 0) + value)
    },
    take(): readonly DailyCounter[] {
      const taken = days
      days = new Map()
      return [...taken].flatMap(([day, counts]) => [...counts].map(([name, value]) => ({ day, name, value })))
    },
  }
}

/** Writes the daily figures from time to time. @returns stops that, once everything is written */
export function scheduleDailyCounters(
  clock: Clock,
  { write }: Pick<DailyCounters, 'write'>,
): () => Promise<void> {
  const stop = clock.every(writeMs, () => {
    void write() // It logs its failures itself.
  })
  return () => {
    stop()
    return write()
  }
}
