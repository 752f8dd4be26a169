import { isGoneFile, type FileStatus, type Upload } from '@svc/contract'
import { expect, test } from 'vitest'
import { currentFiles, lostFiles } from './current-files.ts'
import { isOver, statusOf } from './sent-status.ts'

const files = (...statuses: readonly FileStatus[]) =>
  statuses.map((status, index) => ({
    id: String(index),
    fileName: String(index),
    fileSize: 1,
    type: '',
    md5: '',
    status,
  }))
const upload = (
  statuses: readonly FileStatus[],
  options: Partial<Pick<Upload, 'oneShot' | 'maxDownloads' | 'stream'>> = {},
) => ({
  files: files(...statuses),
  oneShot: false,
  stream: false,
  e2ee: '',
  ...options,
})

const usedUp = (sent: ReturnType<typeof upload>) => ({
  ...sent,
  files: sent.files.map((file) => ({ ...file, usedUp: true })),
})

/** Its files that are gone were never complete. */
const neverArrived = (sent: ReturnType<typeof upload>) => ({
  ...sent,
  files: sent.files.map((file) => ({ ...file, ...(isGoneFile(file) && { notUploaded: true }) })),
})

test.for([
  [upload(['uploaded', 'uploaded']), { kind: 'available' }],
  [upload(['uploaded', 'removed']), { kind: 'available' }],
  [upload(['uploaded', 'removed'], { oneShot: true }), { kind: 'partly', left: 1, count: 2 }],
  [neverArrived(upload(['uploaded', 'uploaded', 'removed'])), { kind: 'notUploaded', lost: 1, count: 3 }],
  [neverArrived(upload(['deleted', 'removed'])), { kind: 'deleted' }],
  [upload(['uploaded', 'uploading', 'missing']), { kind: 'interrupted', arrived: 1, count: 3 }],
  [upload(['deleted', 'removed']), { kind: 'deleted' }],
  [upload([]), { kind: 'deleted' }],
  [usedUp(upload(['removed'], { oneShot: true })), { kind: 'taken' }],
  [upload(['removed'], { oneShot: true }), { kind: 'deleted' }],
  [usedUp(upload(['removed', 'deleted'], { maxDownloads: 3 })), { kind: 'usedUp' }],
  [upload(['removed', 'deleted'], { maxDownloads: 3 }), { kind: 'deleted' }],
  [upload(['uploaded', 'removed'], { maxDownloads: 3 }), { kind: 'partly', left: 1, count: 2 }],
  [upload([], { maxDownloads: 3 }), { kind: 'deleted' }],
  [upload(['uploading', 'removed'], { stream: true }), { kind: 'live' }],
  [upload(['missing'], { stream: true }), { kind: 'notReceived' }],
  [usedUp(upload(['removed'], { stream: true })), { kind: 'received' }],
  [upload(['removed'], { stream: true }), { kind: 'deleted' }],
] as const)('%j is %j', ([sent, status]) => {
  expect(statusOf(sent)).toEqual(status)
})

test('of an encrypted upload, only the manifest is missing', () => {
  const [file, manifest] = files('uploaded', 'missing')
  const all = [file, { ...manifest, fileName: '.svc-manifest.age' }] as Upload['files']
  expect(statusOf({ ...upload([]), files: all, e2ee: 'age' })).toEqual({ kind: 'unfinished' })
  const sent = all.map((declared) => ({ ...declared, status: 'uploaded' as const }))
  expect(statusOf({ ...upload([]), files: sent, e2ee: 'age' })).toEqual({ kind: 'available' })
})

test('an upload is over when nothing of it can be shared', () => {
  expect(isOver({ kind: 'taken' })).toBe(true)
  expect(isOver({ kind: 'unknown' })).toBe(false)
})

test('a removed file that was sent again under its name counts once', () => {
  const again = [
    { fileName: 'a', status: 'removed' },
    { fileName: 'b', status: 'removed' },
    { fileName: 'a', status: 'uploaded' },
  ] as const
  expect(currentFiles(again)).toEqual([again[1], again[2]])
})

test('a file that never arrived is none of the files', () => {
  const all = [
    { fileName: 'a', status: 'removed', notUploaded: true },
    { fileName: 'b', status: 'uploaded' },
  ] as const
  expect(currentFiles(all)).toEqual([all[1]])
  expect(lostFiles(all)).toEqual([all[0]])
})
