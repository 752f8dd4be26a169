import type { File as StoredFile, Upload } from '@svc/contract'
import { ApiError } from '@svc/sdk'
import { expect, test } from 'vitest'
import { createTransfer, type TransferClient } from './transfer.ts'

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

const chosen = { key: '0', name: 'a.txt', blob: new File(['hello'], 'a.txt') }

/** A server by its interface: it keeps what it is asked, and does with a file what the test says. */
function scripted(...outcomes: (() => Promise<StoredFile>)[]) {
  const asked: string[] = []
  const client: TransferClient = {
    addFile: (uploadID, _source, { fileID, uploadToken, signal, onProgress }) => {
      asked.push(`add ${uploadID} ${fileID ?? 'undeclared'} ${uploadToken ?? ''}`)
      onProgress?.({ sent: 3, total: 5 })
      const outcome = outcomes.shift() ?? (() => Promise.resolve(declared))
      return new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => {
          reject(signal.reason as Error)
        })
        outcome().then(resolve, reject)
      })
    },
    removeFile: (_uploadID, file) => {
      asked.push(`remove ${file.id}`)
      return Promise.reject(new ApiError(404, 'file_not_found', 'gone'))
    },
  }
  return { asked, client }
}

const never = () => new Promise<StoredFile>(() => undefined)
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a file is sent to its declared place', async () => {
  const { asked, client } = scripted()
  const transfer = createTransfer(client, upload, chosen, declared)
  await transfer.run()
  expect({ asked, sent: transfer.sent, state: transfer.state }).toEqual({
    asked: ['add u1 f1 secret'],
    sent: 5,
    state: { kind: 'sent' },
  })
})

test('a file that failed gives its place up, and is sent again as a new one', async () => {
  const error = new ApiError(0, 'network', 'cut')
  const { asked, client } = scripted(() => Promise.reject(error))
  const transfer = createTransfer(client, upload, chosen, declared)
  await transfer.run()
  expect(transfer.state).toEqual({ kind: 'failed', error })
  transfer.reset()
  expect([transfer.state.kind, transfer.sent]).toEqual(['waiting', 0])
  await transfer.run()
  expect({ asked, state: transfer.state }).toEqual({
    asked: ['add u1 f1 secret', 'remove f1', 'add u1 undeclared secret'],
    state: { kind: 'sent' },
  })
})

test('a stream keeps its place to be tried again', async () => {
  const { asked, client } = scripted(() => Promise.reject(new ApiError(504, 'stream_timeout', 'late')))
  const transfer = createTransfer(client, { ...upload, stream: true }, chosen, declared)
  await transfer.run()
  transfer.reset()
  await transfer.run()
  expect(asked).toEqual(['add u1 f1 secret', 'add u1 f1 secret'])
})

test('a file that is cancelled while it waits is not sent, and its place is given up', async () => {
  const { asked, client } = scripted()
  const transfer = createTransfer(client, upload, chosen, declared)
  transfer.cancel()
  await transfer.run()
  expect({ asked, state: transfer.state }).toEqual({ asked: ['remove f1'], state: { kind: 'cancelled' } })
})

test('a file that is cancelled and at once sent again is sent', async () => {
  const { client } = scripted(never)
  const transfer = createTransfer(client, upload, chosen, declared)
  const first = transfer.run()
  transfer.cancel()
  expect(transfer.state).toEqual({ kind: 'cancelled' })
  transfer.reset()
  await first
  expect(transfer.state).toEqual({ kind: 'waiting' })
  await transfer.run()
  await turn()
  expect(transfer.state).toEqual({ kind: 'sent' })
})

test('a file that is sent cannot be cancelled or sent again', async () => {
  const { asked, client } = scripted()
  const transfer = createTransfer(client, upload, chosen, declared)
  await transfer.run()
  transfer.cancel()
  transfer.reset()
  await transfer.run()
  expect({ calls: asked.length, state: transfer.state }).toEqual({ calls: 1, state: { kind: 'sent' } })
})
