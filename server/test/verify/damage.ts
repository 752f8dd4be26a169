import { randomId } from '../../src/domain/ids.ts'
import type { DataBackend } from '../../src/data/backend/backend.ts'
import { bytesOf, inChunks } from '../support/bytes.ts'
import { begin, newTarget, patch, type TusFile } from '../resumable/tus.ts'
import { storeUpload, type StoredUpload } from '../support/clients/stored-upload.ts'
import type { TestServer } from '../support/servers/test-server.ts'
import { never } from '../support/signals.ts'

const newId = () => randomId((into) => crypto.getRandomValues(into))

export interface Damage {
  /** Files without faults: stored, in flight, and removed. */
  readonly sound: readonly StoredUpload[]
  readonly growing: TusFile
  readonly removed: StoredUpload
  /** Files by their fault. */
  readonly lost: StoredUpload
  readonly shrunk: StoredUpload
  readonly changed: StoredUpload
  /** Ids of bytes that belong to no file, and the declared file under whose id bytes are stored. */
  readonly unknown: string
  readonly deleted: string
  readonly declared: { readonly uploadId: string; readonly fileId: string; readonly uploadToken: string }
  /** Ids of unfinished writes: of no file, and under the id of a complete file. */
  readonly unfinished: string
  readonly duplicates: StoredUpload
}

const write = (backend: DataBackend, key: string, bytes: Uint8Array) =>
  backend.add(key, inChunks(bytes, 60_000), never)

async function replace(backend: DataBackend, key: string, bytes: Uint8Array): Promise<void> {
  await backend.remove(key)
  await write(backend, key, bytes)
}

async function leaveUnfinished({ resumable }: DataBackend, key: string): Promise<void> {
  const from = await resumable?.begin(key)
  if (from === undefined) throw new Error('the store has no resumable uploads')
  const commit = () => Promise.resolve()
  await resumable?.append(key, from, inChunks(bytesOf(700), 100), { signal: never, commit })
}

/** All faults of a restored database or a damaged store, among files without faults. */
export async function damage(server: TestServer, backend: DataBackend): Promise<Damage> {
  const store = (content: string) => storeUpload(server, content)
  const sound = []
  for (let n = 0; n < 12; n += 1) sound.push(await store(`sound ${String(n)}`))
  sound.push(await store(''))

  const target = await newTarget(server)
  const growing = await begin(server, target, { size: 2_000 })
  await patch(server, growing, 0, bytesOf(1_000))

  const missing = await store('gone')
  await server.client.removeUpload(missing.upload.id, { uploadToken: missing.uploadToken })
  await server.clean()
  await write(backend, missing.file.id, bytesOf(30))
  const removed = await store('removed')
  await server.client.removeUpload(removed.upload.id, { uploadToken: removed.uploadToken })

  const lost = await store('lost')
  await backend.remove(lost.file.id)
  const shrunk = await store('shrunk')
  await replace(backend, shrunk.file.id, bytesOf(3))
  const changed = await store('changed')
  await replace(backend, changed.file.id, bytesOf(7))

  const unknown = newId()
  await write(backend, unknown, bytesOf(50))
  const upload = await server.client.createUpload({ files: [{ fileName: 'declared.txt' }] })
  const fileId = upload.files[0]?.id ?? ''
  await write(backend, fileId, bytesOf(40))

  const unfinished = newId()
  await leaveUnfinished(backend, unfinished)
  const duplicates = await store('besides')
  await leaveUnfinished(backend, duplicates.file.id)
  return {
    ...{
      sound,
      growing,
      removed,
      lost,
      shrunk,
      changed,
      unknown,
      unfinished,
      duplicates,
      deleted: missing.file.id,
    },
    declared: { uploadId: upload.id, fileId, uploadToken: upload.uploadToken ?? '' },
  }
}

/** Kinds and files of the expected findings. */
export const wantedFindings = (
  { lost, shrunk, changed, unknown, deleted, declared, unfinished, duplicates }: Damage,
  { hashes = false } = {},
): readonly string[] =>
  [
    `lost ${lost.file.id}`,
    `wrong_size ${shrunk.file.id}`,
    ...(hashes ? [`wrong_hash ${changed.file.id}`] : []),
    ...[unknown, deleted, declared.fileId].map((id) => `orphaned ${id}`),
    ...[unfinished, duplicates.file.id].map((id) => `unfinished ${id}`),
  ].sort()
