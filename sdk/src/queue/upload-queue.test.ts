import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ApiError } from '../errors/api-error.ts'
import type { Transfer, TransferClient } from './transfer.ts'
import { createUploadQueue, declarationsOf, type UploadQueueOptions } from './upload-queue.ts'

type Options = Parameters<TransferClient['sendFile']>[2]

interface Sending {
  readonly name: string
  readonly fileID: string | undefined
  readonly progress: (sent: number) => void
  readonly end: () => void
  readonly fail: () => void
}

/** A client with which the test decides the outcome of each file. */
function scripted(options: UploadQueueOptions = {}) {
  const sendings: Sending[] = []
  const removed: string[] = []
  const client: TransferClient = {
    sendFile: (_uploadID, _source, { fileName, fileID, signal, onProgress }: Options) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      signal?.addEventListener('abort', () => {
        reject(signal.reason as Error)
      })
      sendings.push({
        name: fileName,
        fileID,
        progress: (sent) => onProgress?.({ sent, total: 100 }),
        end: () => {
          resolve(fileName)
        },
        fail: () => {
          reject(new ApiError(0, 'network', 'cut'))
        },
      })
      return promise
    },
    removeFile: (_uploadID, { id }) => {
      removed.push(id)
      return Promise.resolve()
    },
  }
  return { queue: createUploadQueue(client, options), sendings, removed }
}

const upload = { id: 'u1', e2ee: '', stream: false, uploadToken: 'secret' }
const file = (name: string, size = 100) => ({ key: name, name, size, open: () => new Blob([name]) })
const named = (...names: string[]) => names.map((name) => file(name))
const states = (transfers: readonly Transfer[]) => transfers.map(({ state }) => state.kind)
const last = (sendings: readonly Sending[]) => sendings.at(-1)

test('five files are sent at once, the others follow in their order', async () => {
  const { queue, sendings } = scripted()
  queue.add(upload, named('a', 'b', 'c', 'd', 'e', 'f', 'g'))
  await nextIteration()
  expect(sendings.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e'])
  sendings[3]?.end()
  sendings[1]?.fail()
  await nextIteration()
  expect(sendings.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
})

test('files of several calls and uploads share one queue', async () => {
  const { queue, sendings } = scripted({ concurrency: 1 })
  queue.add(upload, named('a'))
  queue.add({ ...upload, id: 'u2' }, named('b'))
  await nextIteration()
  expect(sendings.map(({ name }) => name)).toEqual(['a'])
  sendings[0]?.end()
  await nextIteration()
  expect(sendings.map(({ name }) => name)).toEqual(['a', 'b'])
})

test('a file takes its declared entry unless another file has taken it', async () => {
  const { queue, sendings } = scripted()
  const files = named('a', 'b')
  expect(declarationsOf(files)).toEqual([
    { reference: 'a', fileName: 'a', fileSize: 100 },
    { reference: 'b', fileName: 'b', fileSize: 100 },
  ])
  const declared = { fileName: '', fileSize: 100, type: '', md5: '' }
  queue.add(
    {
      ...upload,
      files: [
        { ...declared, id: 'f1', reference: 'a', status: 'missing' },
        { ...declared, id: 'f2', reference: 'b', status: 'uploaded' },
      ],
    },
    files,
  )
  await nextIteration()
  expect(sendings.map(({ fileID }) => fileID)).toEqual(['f1', undefined])
})

test('progress covers all files, with a smoothed speed and the remaining time', async () => {
  let time = 0
  const { queue, sendings } = scripted({ now: () => time })
  expect(queue.progress()).toEqual({
    total: 0,
    sent: 0,
    unsent: 0,
    sentFiles: 0,
    isActive: false,
    speed: 0,
    secondsLeft: undefined,
  })
  queue.add(upload, named('a', 'b'))
  await nextIteration()
  expect(queue.progress()).toMatchObject({ total: 200, unsent: 200, speed: 0, secondsLeft: undefined })
  time = 1000
  sendings[0]?.progress(50)
  expect(queue.progress()).toMatchObject({ sent: 50, unsent: 150, speed: 50, secondsLeft: 3, isActive: true })
  queue.transfers()[1]?.cancel()
  sendings[0]?.end()
  await nextIteration()
  expect(queue.progress()).toEqual({
    total: 200,
    sent: 100,
    unsent: 0,
    sentFiles: 1,
    isActive: false,
    speed: 0,
    secondsLeft: undefined,
  })
})

test('the speed before a pause does not count', async () => {
  let time = 0
  const { queue, sendings } = scripted({ now: () => time })
  queue.add(upload, named('a'))
  await nextIteration()
  queue.progress()
  time = 1000
  sendings[0]?.progress(10)
  expect(queue.progress().speed).toBe(10)
  queue.pauseAll()
  await nextIteration()
  time = 1_000_000
  queue.resumeAll()
  await nextIteration()
  expect(queue.progress().speed).toBe(0)
  time = 1_001_000
  last(sendings)?.progress(50)
  expect(queue.progress()).toMatchObject({ speed: 40, secondsLeft: 1.25 })
})

test('all transfers can be paused and resumed', async () => {
  const { queue, sendings } = scripted({ concurrency: 1 })
  const added = queue.add(upload, named('a', 'b'))
  await nextIteration()
  queue.pauseAll()
  await nextIteration()
  expect(states(added)).toEqual(['paused', 'paused'])
  queue.resumeAll()
  await nextIteration()
  expect(states(added)).toEqual(['sending', 'waiting'])
  expect(sendings.map(({ name }) => name)).toEqual(['a', 'a'])
})

test('failed and cancelled files can be retried, alone or together', async () => {
  const { queue, sendings } = scripted({ concurrency: 3 })
  const added = queue.add(upload, named('a', 'b', 'c'))
  await nextIteration()
  sendings[0]?.fail()
  added[1]?.cancel()
  sendings[2]?.end()
  await nextIteration()
  expect(states(added)).toEqual(['failed', 'cancelled', 'sent'])
  queue.retryIf(({ state }) => state.kind === 'failed')
  await nextIteration()
  expect(states(added)).toEqual(['sending', 'cancelled', 'sent'])
  last(sendings)?.fail()
  await nextIteration()
  queue.retryAll()
  await nextIteration()
  expect(states(added)).toEqual(['sending', 'sending', 'sent'])
})

test('settled() resolves when no transfer is left, and not while one is paused', async () => {
  const { queue, sendings } = scripted()
  expect(await queue.settled()).toEqual([])
  queue.add(upload, named('a', 'b'))
  const settledStates: string[][] = []
  const waiting = queue.settled().then((transfers) => settledStates.push(states(transfers)))
  await nextIteration()
  sendings[0]?.end()
  queue.transfers()[1]?.pause()
  await nextIteration()
  expect(settledStates).toEqual([])
  queue.cancelAll()
  await waiting
  expect(settledStates).toEqual([['sent', 'cancelled']])
})

test('a forgotten file leaves the list, and its entry is removed', async () => {
  const { queue, sendings, removed } = scripted()
  const place = { id: 'f2', reference: 'b', fileName: 'b', fileSize: 100, type: '', md5: '' }
  queue.add({ ...upload, files: [{ ...place, status: 'missing' }] }, named('a', 'b'))
  await nextIteration()
  sendings[0]?.end()
  await nextIteration()
  queue.forget(({ state }) => state.kind === 'sent')
  expect(queue.transfers().map(({ name }) => name)).toEqual(['b'])
  queue.forget()
  expect({ left: queue.transfers(), removed }).toEqual({ left: [], removed: ['f2'] })
})

test('each change is notified, and made on the observed object', async () => {
  let changes = 0
  const observed = new WeakSet()
  const written: PropertyKey[] = []
  const observe = <Of extends object>(object: Of): Of => {
    const proxy = new Proxy(object, {
      set: (target, name, value) => {
        written.push(name)
        return Reflect.set(target, name, value)
      },
    })
    observed.add(proxy)
    return proxy
  }
  const { queue, sendings } = scripted({
    observe,
    onChange: () => {
      changes += 1
    },
  })
  const [transfer] = queue.add(upload, named('a'))
  if (transfer === undefined) throw new Error('nothing was added')
  expect(observed.has(transfer)).toBe(true)
  await nextIteration()
  const before = changes
  sendings[0]?.progress(10)
  expect([changes - before, transfer.sent]).toEqual([1, 10])
  expect(written).toContain('transfers')
  expect(written).toContain('sent')
})
