import { unlink } from 'node:fs/promises'
import type { File } from '@svc/contract'
import { isResumable } from '@svc/sdk'
import { confirm, canAsk } from '../interactive/ask.ts'
import type { Program } from '../program/program.ts'
import type { KeyRing } from '../encryption/key-ring.ts'
import type { DownloadContext } from './download-context.ts'
import { CorruptFileFailure, fetchBytes, type PartialFile } from './fetch-bytes.ts'
import { isReplacedFile } from '../errors/replaced-file-failure.ts'
import { lockDownload } from './download-lock.ts'
import { isSmall } from '../transfer/small-files.ts'
import { hashOf } from '../files/hash-file.ts'
import {
  existsFailure,
  moveIntoPlace,
  partPath,
  requireReplaceable,
  sizeOf,
  type Existing,
} from '../files/local-file.ts'
import { fileSink } from '../files/sink.ts'
import type { PlannedFile } from './plan-files.ts'
import { verifyContent } from './decrypted-content.ts'

export interface SaveContext extends DownloadContext {
  readonly program: Program
  readonly existing: Existing
  /** Creates the folders of a file. */
  readonly makeFolders: (base: string, path: string) => Promise<void>
  /** The keys of the files; undefined when they stay encrypted. */
  readonly keys?: KeyRing | undefined
  /** Called when bytes are about to be kept. */
  readonly onPart: (part: PartialFile) => void
}

export type SavedFile = 'downloaded' | 'present'

/**
 * Downloads a file to a path. It is named `….part` until it is complete and verified. The part stays after a broken
 * connection or an interrupt.
 * @throws Failure, ApiError, EncryptionError, the signal's reason
 */
export async function saveFile(saving: SaveContext, planned: PlannedFile): Promise<SavedFile> {
  const { program, keys, makeFolders } = saving
  const { file, base, path, id } = planned
  await makeFolders(base, path)
  // Small files are not worth it: they arrive before another svc could write to their parts.
  const isQuick = !saving.upload.stream && isSmall(file.fileSize)
  await using _lock = isQuick ? undefined : await lockDownload(program, path, id)
  let { existing } = saving
  if (await requireReplaceable(path)) {
    if (keys === undefined && (await hasSameContent(saving, path, file))) return 'present'
    if (existing === 'keep' && canAsk(program) && (await confirm(program, `${path} is there. Overwrite it?`)))
      existing = 'replace'
    if (existing === 'keep') throw existsFailure(path)
  }
  const part =
    keys === undefined
      ? await fetchPlain(saving, planned)
      : await downloadDecrypted({ ...saving, keys }, planned)
  try {
    await moveIntoPlace(part, path, existing)
    return 'downloaded'
  } catch (error) {
    // Another svc, which downloads the same file, may have moved it.
    const isMoved = keys === undefined && (await sizeOf(part)) === undefined
    if (isMoved && (await hasSameContent(saving, path, file))) return 'present'
    throw error
  }
}

async function downloadDecrypted(
  { program, ...saving }: SaveContext & { readonly keys: KeyRing },
  planned: PlannedFile,
): Promise<string> {
  const { fetchDecrypted } = await import('./fetch-decrypted.ts')
  const part = await fetchDecrypted({ ...saving, clock: program.clock }, planned)
  await verifyContent(saving, planned.file, part)
  return part
}

/** @returns path of the complete file */
async function fetchPlain(
  saving: SaveContext,
  { file, path, id, canContinue }: PlannedFile,
): Promise<string> {
  const { upload, isRepeatable, checksumOf, onPart } = saving
  const part = partPath(path, id)
  onPart({ path: part, content: 'plain' })
  const sink = await fileSink(part, {
    size: upload.stream ? Infinity : file.fileSize,
    resume: isResumable(upload) && canContinue,
    algorithm: checksumOf(file)?.algorithm,
  })
  try {
    await fetchBytes(saving, file, sink)
    return part
  } catch (error) {
    const isSpoiled = error instanceof CorruptFileFailure || isReplacedFile(error)
    if (sink.position() === 0 || (isSpoiled && isRepeatable)) await unlink(part).catch(() => undefined)
    throw error
  } finally {
    await sink.close()
  }
}

/** Whether the existing file is identical to the one on the server. */
async function hasSameContent(
  { upload, checksumOf }: SaveContext,
  path: string,
  file: File,
): Promise<boolean> {
  const checksum = checksumOf(file)
  const size = await sizeOf(path)
  if (checksum === undefined || size === undefined || (size !== file.fileSize && !upload.stream)) return false
  const { algorithm, value } = checksum
  return (await hashOf(path, algorithm, size).catch(() => undefined)) === value
}
