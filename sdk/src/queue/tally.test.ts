import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ApiError } from '../errors/api-error.ts'
import { totalsOf } from './totals.ts'
import type { TransferClient } from './transfer.ts'
import { createUploadQueue, type UploadQueueOptions } from './upload-queue.ts'

/** A client whose files fail if their name says so, report an interruption, or wait for the end that the test calls. */
function scripted(options: UploadQueueOptions = {}) {
  const ends: (() => void)[] = []
  const client: TransferClient = {
    sendFile: async (_uploadID, _source, { fileName, signal, onProgress, resumable }) => {
      onProgress?.({ sent: 40, total: 100 })
      if (fileName.startsWith('fails')) throw new ApiError(0, 'network', 'cut')
      if (fileName.startsWith('cut') && resumable !== undefined && resumable !== false)
        resumable.onInterruption?.(new Error('cut'), 500)
      return new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => {
          reject(signal.reason as Error)
        })
        ends.push(() => {
          resolve(fileName)
        })
      })
    },
    removeFile: () => Promise.resolve(),
  }
  return { queue: createUploadQueue(client, options), ends }
}

const upload = { id: 'u1', e2ee: '', stream: false }
const named = (...names: readonly string[]) =>
  names.map((name) => ({ key: name, name, size: 100, open: () => new Blob([name]) }))

test('the tally is the sum of all files after each change', async () => {
  let compared = 0
  const { queue, ends } = scripted({
    concurrency: 3,
    onChange: () => {
      expect(queue.tally()).toMatchObject(totalsOf(queue.transfers()))
      compared += 1
    },
  })
  const [first, , third] = queue.add(upload, named('a', 'fails', 'cut', 'b', 'c'))
  await nextIteration()
  expect(queue.tally()).toMatchObject({ files: 5, failedFiles: 1, sendingFiles: 3, interruptedFiles: 1 })
  third?.pause()
  queue.transfers()[4]?.cancel()
  expect(queue.tally()).toMatchObject({ pausedFiles: 1, cancelledFiles: 1, interruptedFiles: 0 })
  queue.retryAll()
  ends[0]?.()
  await nextIteration()
  expect([first?.state.kind, queue.tally().sentFiles]).toEqual(['sent', 1])
  queue.forget(({ state }) => state.kind === 'sent')
  expect(queue.tally()).toMatchObject({ files: 4, total: 400, sentFiles: 0 })
  queue.cancelAll()
  expect(queue.tally()).toMatchObject({ isActive: false, unsent: 0, failedFiles: 1, cancelledFiles: 3 })
  queue.forget()
  expect(Object.values(queue.tally()).filter(Boolean)).toEqual([])
  expect(compared).toBeGreaterThan(10)
})

test('a file that was forgotten no longer counts', async () => {
  const { queue } = scripted()
  const [transfer] = queue.add(upload, named('a'))
  await nextIteration()
  queue.forget()
  transfer?.reset()
  expect(queue.tally()).toMatchObject({ files: 0, isActive: false })
})

test('incomplete files are those that failed or were cancelled, in their order', async () => {
  const { queue } = scripted()
  queue.add(upload, named('a', 'fails', 'b', 'fails too'))
  expect(queue.incomplete()).toEqual([])
  await nextIteration()
  queue.transfers()[0]?.cancel()
  expect(queue.incomplete().map(({ name }) => name)).toEqual(['a', 'fails', 'fails too'])
  queue.retryIf(({ state }) => state.kind === 'cancelled')
  expect(queue.incomplete().map(({ name }) => name)).toEqual(['fails', 'fails too'])
})

test('a change of one file reads no other', async () => {
  let reads = 0
  const observe = <Of extends object>(object: Of): Of =>
    new Proxy(object, {
      get: (target, name) => {
        reads += 1
        return Reflect.get(target, name) as unknown
      },
    })
  const readsOfOneChange = async (count: number) => {
    const { queue, ends } = scripted({
      observe,
      concurrency: 1,
      onChange: () => {
        queue.tally()
        queue.incomplete()
      },
    })
    queue.add(upload, named(...Array.from({ length: count }, (_, index) => `file ${String(index)}`)))
    await nextIteration()
    reads = 0
    ends[0]?.()
    await nextIteration()
    expect(queue.tally().sentFiles).toBe(1)
    return reads
  }
  expect(await readsOfOneChange(1000)).toBe(await readsOfOneChange(10))
})
