import { expect, test } from 'vitest'
import { ApiError } from '../core/api-error.ts'
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

/** A server by its interface, where the test says what becomes of each file. */
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
const turn = () => new Promise((resolve) => setImmediate(resolve))
const states = (transfers: readonly Transfer[]) => transfers.map(({ state }) => state.kind)
const last = (sendings: readonly Sending[]) => sendings.at(-1)

test('five files are sent at once, the others in their order', async () => {
  const { queue, sendings } = scripted()
  queue.add(upload, named('a', 'b', 'c', 'd', 'e', 'f', 'g'))
  await turn()
  expect(sendings.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e'])
  sendings[3]?.end()
  sendings[1]?.fail()
  await turn()
  expect(sendings.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
})

test('files of several calls, for several uploads, wait in one line', async () => {
  const { queue, sendings } = scripted({ concurrency: 1 })
  queue.add(upload, named('a'))
  queue.add({ ...upload, id: 'u2' }, named('b'))
  await turn()
  expect(sendings.map(({ name }) => name)).toEqual(['a'])
  sendings[0]?.end()
  await turn()
  expect(sendings.map(({ name }) => name)).toEqual(['a', 'b'])
})

test('a file takes the place that was declared for it, unless somebody else has', async () => {
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
  await turn()
  expect(sendings.map(({ fileID }) => fileID)).toEqual(['f1', undefined])
})

test('progress is that of all files, with a calm speed and the time that is left', async () => {
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
  await turn()
  expect(queue.progress()).toMatchObject({ total: 200, unsent: 200, speed: 0, secondsLeft: undefined })
  time = 1000
  sendings[0]?.progress(50)
  expect(queue.progress()).toMatchObject({ sent: 50, unsent: 150, speed: 50, secondsLeft: 3, isActive: true })
  queue.transfers()[1]?.cancel()
  sendings[0]?.end()
  await turn()
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

test('a speed from before a break does not count', async () => {
  let time = 0
  const { queue, sendings } = scripted({ now: () => time })
  queue.add(upload, named('a'))
  await turn()
  queue.progress()
  time = 1000
  sendings[0]?.progress(10)
  expect(queue.progress().speed).toBe(10)
  queue.pauseAll()
  await turn()
  time = 1_000_000
  queue.resumeAll()
  await turn()
  expect(queue.progress().speed).toBe(0)
  time = 1_001_000
  last(sendings)?.progress(50)
  expect(queue.progress()).toMatchObject({ speed: 40, secondsLeft: 1.25 })
})

test('all can be paused, and go on', async () => {
  const { queue, sendings } = scripted({ concurrency: 1 })
  const added = queue.add(upload, named('a', 'b'))
  await turn()
  queue.pauseAll()
  await turn()
  expect(states(added)).toEqual(['paused', 'paused'])
  queue.resumeAll()
  await turn()
  expect(states(added)).toEqual(['sending', 'waiting'])
  expect(sendings.map(({ name }) => name)).toEqual(['a', 'a'])
})

test('what failed or was cancelled can be tried again, alone or together', async () => {
  const { queue, sendings } = scripted({ concurrency: 3 })
  const added = queue.add(upload, named('a', 'b', 'c'))
  await turn()
  sendings[0]?.fail()
  added[1]?.cancel()
  sendings[2]?.end()
  await turn()
  expect(states(added)).toEqual(['failed', 'cancelled', 'sent'])
  queue.retryIf(({ state }) => state.kind === 'failed')
  await turn()
  expect(states(added)).toEqual(['sending', 'cancelled', 'sent'])
  last(sendings)?.fail()
  await turn()
  queue.retryAll()
  await turn()
  expect(states(added)).toEqual(['sending', 'sending', 'sent'])
})

test('who waits is told when nothing is left to do, not while something is paused', async () => {
  const { queue, sendings } = scripted()
  expect(await queue.settled()).toEqual([])
  queue.add(upload, named('a', 'b'))
  const told: string[][] = []
  const waiting = queue.settled().then((transfers) => told.push(states(transfers)))
  await turn()
  sendings[0]?.end()
  queue.transfers()[1]?.pause()
  await turn()
  expect(told).toEqual([])
  queue.cancelAll()
  await waiting
  expect(told).toEqual([['sent', 'cancelled']])
})

test('what is forgotten is off the list, and gives its place up', async () => {
  const { queue, sendings, removed } = scripted()
  const place = { id: 'f2', reference: 'b', fileName: 'b', fileSize: 100, type: '', md5: '' }
  queue.add({ ...upload, files: [{ ...place, status: 'missing' }] }, named('a', 'b'))
  await turn()
  sendings[0]?.end()
  await turn()
  queue.forget(({ state }) => state.kind === 'sent')
  expect(queue.transfers().map(({ name }) => name)).toEqual(['b'])
  queue.forget()
  expect({ left: queue.transfers(), removed }).toEqual({ left: [], removed: ['f2'] })
})

test('each change is told, and made on the object that is observed', async () => {
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
  await turn()
  const before = changes
  sendings[0]?.progress(10)
  expect([changes - before, transfer.sent]).toEqual([1, 10])
  expect(written).toContain('transfers')
  expect(written).toContain('sent')
})
