import { expect } from 'vitest'
import type { DataBackend, ResumableWrites, ResumePoint } from '../../../src/data/backend/backend.ts'
import { sharedBytes } from '../../../src/io/shared-bytes.ts'
import { never } from '../signals.ts'

/** A caller that writes one resumable file, and keeps what a database would keep of it. */
export interface ResumableCaller {
  /** The last stored part. */
  readonly lastPart: () => ResumePoint
  /** All stored parts, from the beginning on. */
  readonly history: () => readonly ResumePoint[]
  /** Appends bytes after the last stored part, in chunks of these sizes, repeated. */
  readonly append: (bytes: Uint8Array, sizes?: readonly number[]) => Promise<void>
  /** As `append`, of any source. */
  readonly appendFrom: (source: AsyncIterable<Uint8Array>, signal?: AbortSignal) => Promise<void>
  /** Continues after an earlier stored part: later ones are forgotten. */
  readonly goBack: (to: ResumePoint) => void
  readonly finish: () => Promise<void>
  readonly discard: () => Promise<void>
}

const mostSession = 32 * 1024

/**
 * @param open the backend for the next call. Each may be another one: nothing is kept in memory except the
 * stored part
 */
export async function resumableCaller(
  key: string,
  open: () => DataBackend | Promise<DataBackend>,
): Promise<ResumableCaller> {
  const writes = async () => resumableOf(await open())
  const history: ResumePoint[] = []
  const lastPart = () => history.at(-1) ?? { offset: -1, session: '' }
  const keep = ({ offset, session }: ResumePoint) => {
    expect(session.length).toBeLessThanOrEqual(mostSession)
    history.push({ offset, session })
  }
  const appendFrom = async (source: AsyncIterable<Uint8Array>, signal = never) => {
    const from = lastPart()
    let end = from.offset
    async function* counted() {
      for await (const chunk of source) {
        end += chunk.length
        yield chunk
      }
    }
    const commit = (stored: ResumePoint) => {
      expect(signal.aborted).toBe(false)
      expect(stored.offset).toBeGreaterThanOrEqual(lastPart().offset)
      expect(stored.offset).toBeLessThanOrEqual(end)
      keep(stored)
      return Promise.resolve()
    }
    const stored = await (await writes()).append(key, from, counted(), { signal, commit })
    expect(stored.offset).toBe(end)
    keep(stored)
  }
  keep(await (await writes()).begin(key))
  expect(lastPart().offset).toBe(0)
  return {
    lastPart,
    history: () => history,
    append: (bytes, sizes = [64 * 1024]) => appendFrom(chunksOf(bytes, sizes)),
    appendFrom,
    goBack(to) {
      history.push(to)
    },
    finish: async () => (await writes()).finish(key, lastPart()),
    discard: async () => (await writes()).discard(key, lastPart()),
  }
}

export function resumableOf({ resumable }: DataBackend): ResumableWrites {
  if (resumable === undefined) throw new Error('the store has no resumable uploads')
  return resumable
}

/** The bytes in chunks of these sizes, repeated, which all share memory as bodies do. */
// eslint-disable-next-line @typescript-eslint/require-await -- a source is asynchronous
export async function* chunksOf(
  bytes: Uint8Array,
  sizes: readonly number[],
): AsyncGenerator<Uint8Array, void> {
  const memory = sharedBytes(Math.max(1, ...sizes))
  for (let offset = 0, index = 0; offset < bytes.length; index += 1) {
    const part = bytes.subarray(offset, offset + Math.max(1, sizes[index % sizes.length] ?? 1))
    memory.set(part)
    yield memory.subarray(0, part.length)
    memory.fill(0, 0, part.length)
    offset += part.length
  }
}
