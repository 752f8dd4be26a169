import {
  isManifest,
  manifestName,
  servesManifest,
  type File,
  type Upload,
  type UploadOptions,
} from '@svc/contract'
import { ApiError, type Client } from '@svc/sdk'
import { printable } from '@svc/terminal'
import { errorMessage } from '../errors/error-message.ts'
import { Failure } from '../errors/failure.ts'
import { stateOf, type Item } from '../files/item.ts'
import type { Progress } from '../output/progress.ts'
import type { Program } from '../program/program.ts'
import { beginRecord, continueRecord, noRecorder, type Recorder } from '../state/unfinished/recorder.ts'
import {
  forgetUnfinished,
  type UnfinishedFile,
  type UnfinishedUpload,
} from '../state/unfinished/unfinished-upload.ts'
import type { FileEncryptor } from './sending/file-encryptor.ts'
import type { CreatedUpload } from './sending/run-upload.ts'
import { sentSize, type SendTask } from './sending/send-file.ts'
import { isPartial, targetOf, type SendTarget } from './sending/send-target.ts'

/** An upload that the server knows, with what is left to send. */
export interface BegunUpload {
  readonly upload: CreatedUpload
  readonly tasks: readonly SendTask[]
  readonly recorder: Recorder
}

export interface UploadContext {
  readonly client: Client
  readonly items: readonly Item[]
  readonly encryptor: FileEncryptor | undefined
  readonly progress: Progress
  /** Whether the upload shall have a manifest. It is declared, so that the server has a place for it. */
  readonly hasManifest: boolean
  /** The name of an item here, if the one on the server is encrypted. */
  readonly localNameOf?: (item: Item) => string
  /** Called with an upload that is new, at the same time as its record is written. The upload begins when it resolves. */
  readonly onCreated?: (upload: CreatedUpload) => Promise<void>
}

const stateIn = (item: Item): string => (item.kind === 'file' ? stateOf(item) : '')

/** What the record of an upload has of an item. */
const recorded = (item: Item, localNameOf: UploadContext['localNameOf']) => ({
  name: item.name,
  ...(localNameOf && { localName: localNameOf(item) }),
  state: stateIn(item),
})

/**
 * Creates an upload. Its record is durable before the first byte is sent.
 * @param recordFor the record of the created upload, without its files
 */
export async function createUpload(
  program: Program,
  { client, items, encryptor, progress, hasManifest, localNameOf, onCreated }: UploadContext,
  options: UploadOptions,
  recordFor: (upload: CreatedUpload) => Omit<UnfinishedUpload, 'owner' | 'files'> | undefined,
): Promise<BegunUpload> {
  const files = items.map((item, index) => ({
    reference: String(index),
    fileName: item.name,
    ...(item.size !== undefined && { fileSize: sentSize(item.size, encryptor) }),
  }))
  const manifest = hasManifest ? [{ reference: 'manifest', fileName: manifestName }] : []
  const created = await client.createUpload({ ...options, files: [...files, ...manifest] })
  const upload = { ...created, uploadToken: created.uploadToken ?? '' }
  await requireGranted(client, options, upload)
  if (hasManifest && !servesManifest(upload)) await removeManifest(client, upload, progress)
  const byReference = new Map(upload.files.map((file) => [file.reference, file]))
  const declared = items.map((_item, index) => {
    const file = byReference.get(String(index))
    if (file === undefined) throw new TypeError('the server did not take a declared file')
    return file
  })
  const record = recordFor(upload)
  const recording =
    record === undefined
      ? noRecorder
      : orUnrecorded(progress, () =>
          beginRecord(program, {
            ...record,
            files: items.map((item, index) => ({
              ...recorded(item, localNameOf),
              id: declared[index]?.id ?? '',
            })),
          }),
        )
  const [recorder] = await Promise.all([recording, onCreated?.(upload)])
  const targets = declared.map((file) => ({ kind: 'declared', file }) as const)
  return { upload, recorder, tasks: tasksOf(items, recorder, targets, []) }
}

/**
 * Checks that the server applies the options that protect the files: another or an older one may not know them.
 * @throws Failure. The upload is removed, and nothing was sent.
 */
async function requireGranted(client: Client, options: UploadOptions, upload: CreatedUpload): Promise<void> {
  const refused = [
    ['--oneshot', options.oneShot === true && !upload.oneShot],
    ['--downloads', options.maxDownloads !== undefined && upload.maxDownloads !== options.maxDownloads],
    ['--password', options.password !== undefined && !upload.protectedByPassword],
    ['--stream', options.stream === true && !upload.stream],
    ['--alias', options.alias !== undefined && upload.alias !== options.alias],
    ['encryption', options.e2ee !== undefined && upload.e2ee !== options.e2ee],
  ].find(([, isRefused]) => isRefused)
  if (refused === undefined) return
  await client.removeUpload(upload.id, upload).catch(() => undefined)
  throw new Failure(`the server does not know ${String(refused[0])}; nothing was sent`)
}

/** Removes the declared manifest where its first recipient would use it up for all others. */
async function removeManifest(client: Client, upload: CreatedUpload, progress: Progress): Promise<void> {
  if (upload.stream) return
  progress.warn(
    'this version of the server keeps no manifest where downloads are limited: recipients cannot verify the names of the files',
  )
  const declared = upload.files.filter((file) => isManifest(upload, file))
  // If it cannot be removed, it expires with the upload.
  for (const file of declared) await client.removeFile(upload.id, file, upload).catch(() => undefined)
}

/** A home folder that is read-only does not prevent an upload. */
async function orUnrecorded(progress: Progress, begin: () => Promise<Recorder>): Promise<Recorder> {
  try {
    return await begin()
  } catch (error) {
    progress.report(`the upload cannot be resumed if it is interrupted: ${errorMessage(error)}`)
    return noRecorder
  }
}

const tasksOf = (
  items: readonly Item[],
  recorder: Recorder,
  targets: readonly SendTarget[],
  records: readonly UnfinishedFile[],
): readonly SendTask[] =>
  items.map((item, index) => ({
    item,
    target: targets[index] ?? { kind: 'new' },
    key: records[index]?.key,
    onBegun: (id) => recorder.saveFile(index, id),
    onKey: (key) => recorder.saveKey(index, key),
  }))

/** An item with what an earlier run recorded of it, and what the server has of it. */
interface MatchedItem {
  readonly item: Item
  readonly record: UnfinishedFile | undefined
  readonly file: File | undefined
  readonly target: SendTarget
}

/**
 * Continues an unfinished upload. Files that have changed are sent again, those that are gone are removed from the upload.
 * @returns undefined when the server does not have the upload any more
 */
export async function continueUpload(
  program: Program,
  { client, items, encryptor, progress, localNameOf }: UploadContext,
  unfinished: UnfinishedUpload,
): Promise<BegunUpload | undefined> {
  const now = await uploadOf(client, unfinished)
  if (now === undefined) {
    await forgetUnfinished(program, unfinished)
    return undefined
  }
  const upload = { ...now, uploadToken: unfinished.uploadToken }
  const { matched, missing } = matchRecords(unfinished, items, { files: now.files, encryptor })
  for (const { item, record } of matched)
    if (record !== undefined && record.state !== stateIn(item))
      progress.warn(`${printable(pathOf(item))} has changed since the upload began; it is sent again`)
  for (const { name, localName = name } of missing)
    progress.warn(`${printable(localName)} is no longer there; it is removed from the upload`)
  const files = matched.map(({ item, record, target }) => ({
    ...recorded(item, localNameOf),
    ...(target.kind !== 'new' && { id: target.file.id, ...(record?.key && { key: record.key }) }),
  }))
  await removeReplaced(client, upload, matched, missing)
  const recorder = await continueRecord(program, unfinished, files)
  const arrived = matched.filter(({ target }) => target.kind === 'arrived').length
  progress.report(
    `resuming upload ${upload.id}: ${String(arrived)} of ${String(items.length)} files are sent`,
  )
  const targets = matched.map(({ target }) => target)
  return { upload, recorder, tasks: tasksOf(items, recorder, targets, files) }
}

const pathOf = (item: Item) => (item.kind === 'file' ? item.path : item.name)

async function uploadOf(client: Client, { id, uploadToken }: UnfinishedUpload): Promise<Upload | undefined> {
  try {
    return await client.upload(id, { uploadToken })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'upload_not_found') return undefined
    throw error
  }
}

interface UploadOnServer {
  readonly files: readonly File[]
  readonly encryptor: FileEncryptor | undefined
}

/** Finds the record of each item by its name, since files may have come and gone. */
function matchRecords(
  { files: records }: UnfinishedUpload,
  items: readonly Item[],
  { files, encryptor }: UploadOnServer,
): { readonly matched: readonly MatchedItem[]; readonly missing: readonly UnfinishedFile[] } {
  const byName = Map.groupBy(records, ({ name }) => name)
  const byID = new Map(files.map((file) => [file.id, file]))
  const matched = items.map((item) => {
    const record = byName.get(item.name)?.shift()
    const file = record?.id === undefined ? undefined : byID.get(record.id)
    return { item, record, file, target: targetIn({ item, record, file }, encryptor) }
  })
  return { matched, missing: [...byName.values()].flat() }
}

function targetIn(
  { item, record, file }: Omit<MatchedItem, 'target'>,
  encryptor: FileEncryptor | undefined,
): SendTarget {
  const isNew = item.size === undefined || record?.state !== stateIn(item)
  // Another key would make other bytes.
  const isKeyLost =
    encryptor !== undefined && file !== undefined && isPartial(file) && record?.key === undefined
  return isNew || isKeyLost ? { kind: 'new' } : targetOf(file, sentSize(item.size, encryptor))
}

/** Removes the files in whose place others are sent, and those that are no longer there. */
async function removeReplaced(
  client: Client,
  upload: CreatedUpload,
  matched: readonly MatchedItem[],
  missing: readonly UnfinishedFile[],
): Promise<void> {
  const replaced = matched.flatMap(({ target, file }) => (target.kind === 'new' && file ? [file] : []))
  const gone = upload.files.filter(({ id }) => missing.some((file) => file.id === id))
  for (const file of [...replaced, ...gone])
    if (file.status !== 'removed' && file.status !== 'deleted')
      // If it cannot be removed, it expires with the upload.
      await client.removeFile(upload.id, file, upload).catch(() => undefined)
}
