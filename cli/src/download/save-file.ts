import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { unlink } from 'node:fs/promises'
import type { File } from '@svc/contract'
import { confirm, canAsk } from '../terminal/ask.ts'
import type { Program } from '../program.ts'
import { Damaged, fetchBytes, isResumable, type Fetching } from './fetch-bytes.ts'
import { alreadyThere, giveName, makeFolders, partPath, sizeOf, type Existing } from './place.ts'
import { fileSink } from './sink.ts'

export interface Saving extends Fetching {
  readonly program: Program
  /** The folder that nothing may leave. */
  readonly base: string
  readonly existing: Existing
}

export type Saved = 'downloaded' | 'present'

/**
 * Brings a file to a path. Until it is whole and right it is called `….part`, which stays where the connection broke
 * or somebody interrupted.
 * @throws Failure, ApiError, the signal's reason
 */
export async function saveFile(saving: Saving, file: File, path: string): Promise<Saved> {
  const { program, upload, base, verify } = saving
  await makeFolders(base, path)
  let { existing } = saving
  if ((await sizeOf(path)) !== undefined) {
    if (await isSame(path, file)) return 'present'
    if (existing === 'keep' && canAsk(program) && (await confirm(program, `${path} is there. Overwrite it?`)))
      existing = 'replace'
    if (existing === 'keep') throw alreadyThere(path)
  }
  const part = partPath(path, file.id)
  const sink = await fileSink(part, {
    size: upload.stream ? Infinity : file.fileSize,
    resume: isResumable(upload) && file.md5 !== '',
    verify: verify && file.md5 !== '',
    script: program.script,
  })
  try {
    await fetchBytes(saving, file, sink)
  } catch (error) {
    // Nothing can be built on bytes that are wrong, and nothing is worth keeping of nothing.
    if (error instanceof Damaged || sink.position() === 0) await unlink(part).catch(() => undefined)
    throw error
  } finally {
    await sink.close()
  }
  await giveName(part, path, existing)
  return 'downloaded'
}

/** Whether what is there is the very file already. */
async function isSame(path: string, { fileSize, md5 }: File): Promise<boolean> {
  if (md5 === '' || (await sizeOf(path)) !== fileSize) return false
  const hash = createHash('md5')
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }))
      hash.update(chunk as Buffer)
  } catch {
    return false
  }
  return hash.digest('hex') === md5
}
