import { setImmediate as nextIteration } from 'node:timers/promises'
import type { File as StoredFile, Upload } from '@svc/contract'
import { expect, test } from 'vitest'
import { ApiError } from '../errors/api-error.ts'
import type { Source } from '../source/source.ts'
import { createTransfer, type QueuedFile, type TransferClient } from './transfer.ts'

const upload: Upload = {
  id: 'u1',
  uploadToken: 'secret',
  ttl: 60,
  extend_ttl: false,
  oneShot: false,
  removable: false,
  stream: false,
  protectedByPassword: false,
  comments: '',
  e2ee: '',
  downloadDomain: '',
  files: [],
  admin: true,
  createdAt: '2026-01-01T00:00:00Z',
  expireAt: null,
}

const declared: StoredFile = {
  id: 'f1',
  reference: '0',
  fileName: 'a.txt',
  fileSize: 5,
  type: '',
  md5: '',
  status: 'missing',
}

const outgoing: QueuedFile = {
  key: '0',
  name: 'a.txt',
  size: 5,
  type: '',
  open: () => Promise.resolve(new Blob(['hello'])),
}

type SendOptions = Parameters<TransferClient['sendFile']>[2]

/** A client that records its calls; the test decides the outcome of each file. */
function scripted(...outcomes: ((options: SendOptions) => Promise<string>)[]) {
  const requests: string[] = []
  const client: TransferClient = {
    sendFile: async (uploadID, _source, options) => {
      const { fileID = 'undeclared', uploadToken = '', signal, onProgress, resumable } = options
      const resumedFile =
        resumable === undefined || resumable === false ? undefined : await resumable.memory?.get('')
      requests.push(`send ${uploadID} ${fileID} ${uploadToken} ${resumedFile ?? 'new'}`)
      onProgress?.({ sent: 3, total: 5 })
      const outcome = outcomes.shift() ?? (() => Promise.resolve('f1'))
      return new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => {
          reject(signal.reason as Error)
        })
        outcome(options).then(resolve, reject)
      })
    },
    removeFile: (_uploadID, file) => {
      requests.push(`remove ${file.id}`)
      return Promise.reject(new ApiError(404, 'file_not_found', 'gone'))
    },
  }
  return { requests, client }
}

const never = () => new Promise<string>(() => undefined)
const fails = (status: number, code: string) => () => Promise.reject(new ApiError(status, code, code))

test('a file is sent to its declared entry', async () => {
  const { requests, client } = scripted()
  const transfer = createTransfer(client, upload, outgoing, { declared })
  await transfer.run()
  expect({ requests, sent: transfer.sent, state: transfer.state }).toEqual({
    requests: ['send u1 f1 secret new'],
    sent: 5,
    state: { kind: 'sent' },
  })
})

test('a failed file keeps its entry and resumes', async () => {
  const { requests, client } = scripted(fails(0, 'network'))
  const transfer = createTransfer(client, upload, outgoing, { declared })
  await transfer.run()
  expect(transfer.state).toMatchObject({ kind: 'failed', error: { code: 'network' } })
  transfer.reset()
  expect([transfer.state.kind, transfer.sent]).toEqual(['waiting', 3])
  await transfer.run()
  expect({ requests, state: transfer.state }).toEqual({
    requests: ['send u1 f1 secret new', 'send u1 f1 secret f1'],
    state: { kind: 'sent' },
  })
})

test('a file whose entry is lost gets a new one', async () => {
  const { requests, client } = scripted(fails(409, 'file_not_missing'))
  const transfer = createTransfer(client, upload, outgoing, { declared })
  await transfer.run()
  expect({ requests, state: transfer.state }).toEqual({
    requests: ['send u1 f1 secret new', 'send u1 undeclared secret new'],
    state: { kind: 'sent' },
  })
})

test('a stream is sent from the beginning, and keeps its entry for the next attempt', async () => {
  const { requests, client } = scripted(fails(504, 'stream_timeout'), ({ resumable }) => {
    expect(resumable).toBe(false)
    return Promise.resolve('f1')
  })
  const transfer = createTransfer(client, { ...upload, stream: true }, outgoing, { declared })
  await transfer.run()
  transfer.reset()
  await transfer.run()
  expect(requests).toEqual(['send u1 f1 secret new', 'send u1 f1 secret new'])
})

test('a paused file resumes', async () => {
  const { requests, client } = scripted(never)
  const transfer = createTransfer(client, upload, outgoing, { declared })
  const first = transfer.run()
  await nextIteration()
  transfer.pause()
  await first
  expect([transfer.state.kind, transfer.sent]).toEqual(['paused', 3])
  transfer.reset()
  await transfer.run()
  expect({ requests, state: transfer.state }).toEqual({
    requests: ['send u1 f1 secret new', 'send u1 f1 secret f1'],
    state: { kind: 'sent' },
  })
})

test('an error of the source fails one attempt', async () => {
  const { client } = scripted()
  let reads = 0
  const open = () => (reads++ === 0 ? Promise.reject(new Error('unreadable')) : outgoing.open())
  const transfer = createTransfer(client, upload, { ...outgoing, open }, { declared })
  await transfer.run()
  expect(transfer.state.kind).toBe('failed')
  transfer.reset()
  await transfer.run()
  expect(transfer.state.kind).toBe('sent')
})

test('an interruption is visible until progress continues', async () => {
  const seen: boolean[] = []
  const { client } = scripted(({ resumable, onProgress }) => {
    if (resumable !== undefined && resumable !== false) resumable.onInterruption?.(new Error('cut'), 500)
    seen.push(transfer.interrupted)
    onProgress?.({ sent: 4, total: 5 })
    seen.push(transfer.interrupted)
    return Promise.resolve('f1')
  })
  const transfer = createTransfer(client, upload, outgoing, { declared })
  await transfer.run()
  expect(seen).toEqual([true, false])
})

test('a file that is cancelled while it waits is not sent, and its entry is removed', async () => {
  const { requests, client } = scripted()
  const transfer = createTransfer(client, upload, outgoing, { declared })
  transfer.cancel()
  await transfer.run()
  expect({ requests, state: transfer.state }).toEqual({
    requests: ['remove f1'],
    state: { kind: 'cancelled' },
  })
})

test('a file that is cancelled and immediately sent again gets a new entry', async () => {
  const { requests, client } = scripted(never)
  const transfer = createTransfer(client, upload, outgoing, { declared })
  const first = transfer.run()
  await nextIteration()
  transfer.cancel()
  expect(transfer.state).toEqual({ kind: 'cancelled' })
  transfer.reset()
  await first
  expect(transfer.state).toEqual({ kind: 'waiting' })
  await transfer.run()
  expect({ requests, state: transfer.state }).toEqual({
    requests: ['send u1 f1 secret new', 'remove f1', 'send u1 undeclared secret new'],
    state: { kind: 'sent' },
  })
})

test('a sent file cannot be cancelled, paused or sent again', async () => {
  const { requests, client } = scripted()
  const transfer = createTransfer(client, upload, outgoing, { declared })
  await transfer.run()
  transfer.cancel()
  transfer.pause()
  transfer.reset()
  await transfer.run()
  expect({ calls: requests.length, state: transfer.state }).toEqual({ calls: 1, state: { kind: 'sent' } })
})

test('a one-time source is opened again for the next attempt, a repeatable one is not', async () => {
  const opens = async (source: () => Source) => {
    const { client } = scripted(fails(0, 'network'))
    let count = 0
    const open = () => {
      count += 1
      return source()
    }
    const transfer = createTransfer(client, upload, { ...outgoing, open }, { declared })
    await transfer.run()
    transfer.reset()
    await transfer.run()
    expect(transfer.state.kind).toBe('sent')
    return count
  }
  const chunks = async function* () {
    yield await Promise.resolve(new Uint8Array(5))
  }
  expect(await opens(() => ({ chunks: chunks() }))).toBe(2)
  expect(await opens(() => ({ size: 5, between: chunks }))).toBe(1)
  expect(await opens(() => new Blob(['hello']))).toBe(1)
})

test('a file of which a part was sent before continues there', async () => {
  const { client, requests } = scripted()
  const begun: StoredFile = { ...declared, status: 'uploading', offset: 2 }
  const transfer = createTransfer(client, upload, outgoing, { declared: begun })
  expect(transfer.sent).toBe(2)
  await transfer.run()
  expect(requests).toEqual(['send u1 f1 secret f1'])
})

test('the id of a file is reported once it is stored, also after a failure, and never after a cancel', async () => {
  const sent: string[] = []
  const watched = {
    ...outgoing,
    onSent: (id: string, upload: { readonly id: string }) => sent.push(`${upload.id} ${id}`),
  }
  const failing = scripted(() => Promise.reject(new ApiError(0, 'network', 'cut')))
  const retried = createTransfer(failing.client, upload, watched, { declared })
  await retried.run()
  expect(sent).toEqual([])
  retried.reset()
  await retried.run()
  expect(sent).toEqual(['u1 f1'])

  const stored = Promise.withResolvers<string>()
  // The last response may arrive although the request is aborted.
  const slow = { ...scripted().client, sendFile: () => stored.promise }
  const cancelled = createTransfer(slow, upload, watched, { declared })
  const running = cancelled.run()
  await nextIteration()
  cancelled.cancel()
  stored.resolve('f1')
  await running
  expect(sent).toEqual(['u1 f1'])
})
