import type { DataBackend } from '../data/backend/backend.ts'
import { CommandError } from '../domain/command-error.ts'
import { measureContent, type FileContent, type OpenContent } from './reading/content.ts'

/** The bytes of a file of another service, and what that knows of them. */
export interface SourceContent {
  readonly open: OpenContent
  /** NaN when the service has no number, null when it does not store sizes. */
  readonly size: number | null
  /** Empty when it computed none. */
  readonly md5: string
  /** Empty when it computed none. */
  readonly sha1: string
}

export type TransferResult =
  | { readonly outcome: 'stored'; readonly content: FileContent }
  | { readonly outcome: 'missing' }
  /** Size or hash differ. */
  | { readonly outcome: 'damaged'; readonly detail: string }

/** What the data store has of a file. */
export type StoredCondition = 'intact' | 'missing' | 'other size' | 'unreadable'

export interface Transfer {
  /**
   * Verifies the bytes of a file, and brings them into the data store unless they stay where they are.
   * @param id id of the file in this service
   */
  readonly store: (id: string, source: SourceContent) => Promise<TransferResult>
  /** Removes the bytes that were brought, because the upload is not imported. */
  readonly discard: (id: string) => Promise<void>
  /** Looks up what the data store has of a file. */
  readonly inspect: (id: string, size: number) => Promise<StoredCondition>
}

/** Reads the bytes of a file, and compares them with what is known of them. */
export async function verifyContent(source: SourceContent): Promise<TransferResult> {
  const bytes = await source.open()
  if (bytes === undefined) return { outcome: 'missing' }
  const { chunks, result } = measureContent(bytes, source.sha1 !== '')
  for await (const _chunk of chunks);
  return compareContent(result(), source)
}

/** Reads files, and stores nothing: for a dry run, and for files that are in the data store already. */
export const verifyOnly = (data: Pick<DataBackend, 'inventory'>): Transfer => ({
  store: (_id, source) => verifyContent(source),
  discard: () => Promise.resolve(),
  inspect: (id, size) => inspect(data, id, size),
})

/** Copies files into the data store, over what an interrupted import left there. */
export const copyInto = (data: DataBackend): Transfer => ({
  async store(id, source) {
    const bytes = await source.open()
    if (bytes === undefined) return { outcome: 'missing' }
    await removeLeftover(data, id)
    const { chunks, result } = measureContent(bytes, source.sha1 !== '')
    try {
      await data.add(id, chunks, new AbortController().signal)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      throw new CommandError(`the file ${id} is being written: another import, or the service, runs`, error)
    }
    const transferred = compareContent(result(), source)
    if (transferred.outcome !== 'stored') await data.remove(id)
    return transferred
  },
  discard: (id) => data.remove(id),
  inspect: (id, size) => inspect(data, id, size),
})

async function inspect(
  { inventory }: Pick<DataBackend, 'inventory'>,
  key: string,
  size: number,
): Promise<StoredCondition> {
  if (inventory === undefined) return 'intact'
  const stored = await inventory.inspect(key)
  if (stored?.isUnreadable === true) return 'unreadable'
  if (stored === null || stored.size === null) return 'missing'
  return stored.size === size ? 'intact' : 'other size'
}

async function removeLeftover(data: DataBackend, key: string): Promise<void> {
  if (data.inventory !== undefined && (await data.inventory.inspect(key)) === null) return
  await data.remove(key)
}

function compareContent(content: FileContent, { size, md5, sha1 }: SourceContent): TransferResult {
  if (size !== null && content.size !== size) {
    const has = `it has ${String(content.size)} bytes, and`
    const detail = Number.isNaN(size)
      ? `${has} its recorded size is damaged`
      : `${has} ${String(size)} were received`
    return { outcome: 'damaged', detail }
  }
  if (md5 !== '' && content.md5 !== md5)
    return { outcome: 'damaged', detail: `its MD5 is ${content.md5}, and that of what was received ${md5}` }
  if (sha1 !== '' && content.sha1 !== sha1)
    return {
      outcome: 'damaged',
      detail: `its SHA-1 is ${content.sha1}, and that of what was received ${sha1}`,
    }
  return { outcome: 'stored', content }
}
