import { unlink } from 'node:fs/promises'
import type { File } from '@svc/contract'
import { isResumable } from '@svc/sdk'
import { confirm, canAsk } from '../interactive/ask.ts'
import type { Program } from '../program/program.ts'
import type { KeyRing } from '../encryption/key-ring.ts'
import { isEncryptionError, isKeyError } from '../errors/encryption-errors.ts'
import { fetchDecrypted } from './fetch-decrypted.ts'
import { CorruptFileFailure, fetchBytes, type DownloadContext } from './fetch-bytes.ts'
import { md5Of } from '../files/hash-file.ts'
import {
  existsFailure,
  moveIntoPlace,
  makeFolders,
  partPath,
  plainPath,
  requireReplaceable,
  sizeOf,
  type Existing,
} from '../files/local-file.ts'
import { fileSink } from '../files/sink.ts'
import type { PlannedFile } from './plan-files.ts'

export interface SaveContext extends DownloadContext {
  readonly program: Program
  readonly existing: Existing
  /** The decryptor of the files; undefined when they stay encrypted. */
  readonly keys?: KeyRing | undefined
}

export type SavedFile = 'downloaded' | 'present'

/**
 * Downloads a file to a path. It is named `….part` until it is complete and verified. The part stays after a broken
 * connection or an interrupt.
 * @throws Failure, ApiError, EncryptionError, the signal's reason
 */
export async function saveFile(saving: SaveContext, planned: PlannedFile): Promise<SavedFile> {
  const { program, upload, verify, keys } = saving
  const { file, base, path, id } = planned
  await makeFolders(base, path)
  await requireReplaceable(path)
  let { existing } = saving
  if ((await sizeOf(path)) !== undefined) {
    if (keys === undefined && (await isSame(path, file))) return 'present'
    if (existing === 'keep' && canAsk(program) && (await confirm(program, `${path} is there. Overwrite it?`)))
      existing = 'replace'
    if (existing === 'keep') throw existsFailure(path)
  }
  const part = partPath(path, id)
  const sink = await fileSink(part, {
    size: upload.stream ? Infinity : file.fileSize,
    resume: isResumable(upload) && file.md5 !== '',
    verify: verify && file.md5 !== '',
  })
  try {
    if (keys === undefined) await fetchBytes(saving, file, sink)
    else await fetchDecrypted({ ...saving, keys }, { file, sink, part, plain: plainPath(path, id) })
  } catch (error) {
    if (sink.position() === 0 || (isCorruption(error) && isResumable(upload)))
      await unlink(part).catch(() => undefined)
    throw error
  } finally {
    await sink.close()
  }
  if (keys === undefined) await moveIntoPlace(part, path, existing)
  else {
    await moveIntoPlace(plainPath(path, id), path, existing)
    await unlink(part)
  }
  return 'downloaded'
}

/** Removes damaged bytes, with which a download must not resume, except those of a one-shot file. */
const isCorruption = (error: unknown): boolean =>
  error instanceof CorruptFileFailure || (isEncryptionError(error) && !isKeyError(error))

/** Whether the existing file is identical to the one on the server. */
async function isSame(path: string, { fileSize, md5 }: File): Promise<boolean> {
  if (md5 === '' || (await sizeOf(path)) !== fileSize) return false
  return (await md5Of(path).catch(() => undefined)) === md5
}
