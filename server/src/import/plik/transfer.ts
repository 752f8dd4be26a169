import type { DataBackend } from '../../data/backend/backend.ts'
import { measured, type OpenContent, type PlikFileKey } from './content.ts'
import type { FileContent } from './uploads.ts'

/** What Plik knows of the bytes of a file. */
export interface Expected {
  /** NaN when the database has no number. */
  readonly size: number
  /** Empty when Plik computed none. */
  readonly md5: string
}

export type Transferred =
  | { readonly outcome: 'stored'; readonly content: FileContent }
  | { readonly outcome: 'missing' }
  /** @see Expected */
  | { readonly outcome: 'damaged'; readonly detail: string }

export interface Transfer {
  /** Verifies the bytes of a file, and brings them into the data store unless they stay where they are. */
  readonly store: (file: PlikFileKey, expected: Expected) => Promise<Transferred>
  /** Removes the bytes that were brought, because the upload is not imported. */
  readonly discard: (id: string) => Promise<void>
}

/** Reads files, and stores nothing: for a dry run, and for files that are in the data store already. */
export const verifyOnly = (open: OpenContent): Transfer => ({
  async store(file, expected) {
    const source = await open(file)
    if (source === undefined) return { outcome: 'missing' }
    const { chunks, result } = measured(source)
    for await (const _chunk of chunks);
    return compared(result(), expected)
  },
  discard: () => Promise.resolve(),
})

/** Copies files into the data store, over what an interrupted import left there. */
export const copyInto = (data: DataBackend, open: OpenContent): Transfer => ({
  async store(file, expected) {
    const source = await open(file)
    if (source === undefined) return { outcome: 'missing' }
    await removeLeftover(data, file.id)
    const { chunks, result } = measured(source)
    await data.add(file.id, chunks, new AbortController().signal)
    const transferred = compared(result(), expected)
    if (transferred.outcome !== 'stored') await data.remove(file.id)
    return transferred
  },
  discard: (id) => data.remove(id),
})

async function removeLeftover(data: DataBackend, key: string): Promise<void> {
  if (data.inventory !== undefined && (await data.inventory.inspect(key)) === null) return
  await data.remove(key)
}

function compared(content: FileContent, { size, md5 }: Expected): Transferred {
  if (content.size !== size)
    return {
      outcome: 'damaged',
      detail: `it has ${String(content.size)} bytes, and Plik received ${String(size)}`,
    }
  if (md5 !== '' && content.md5 !== md5)
    return { outcome: 'damaged', detail: `its MD5 is ${content.md5}, and that of what Plik received ${md5}` }
  return { outcome: 'stored', content }
}
