import { ageScheme, type File, type Upload } from '@svc/contract'
import type { Access } from '@svc/sdk'
import type { ArchivedFiles } from '../../saving/save-archive.ts'
import type { SaveDecryptedOptions } from '../../saving/save-decrypted.ts'
import type { SaveStoredOptions } from '../../saving/save-stored.ts'

/** What the downloads of a page have in common. */
export interface SaveContext {
  readonly upload: Upload
  readonly access: Access
}

/** Saves an encrypted file. */
export async function saveFile(
  context: SaveContext,
  file: File,
  options: SaveDecryptedOptions,
): Promise<void> {
  const { saveDecrypted } = await import('../../saving/save-decrypted.ts')
  await saveDecrypted({ ...context, file }, options)
}

/** Saves several files as a zip. */
export async function saveZip(
  context: SaveContext,
  zip: Pick<ArchivedFiles, 'files' | 'name' | 'root'>,
  options: SaveDecryptedOptions,
): Promise<void> {
  const { saveArchive } = await import('../../saving/save-archive.ts')
  const { e2ee, createdAt } = context.upload
  await saveArchive(
    { ...context, ...zip, encrypted: e2ee === ageScheme, modified: new Date(createdAt) },
    options,
  )
}

/**
 * Saves what exists only once.
 * @param size bytes; 0 when unknown
 */
export async function saveOnce(
  context: SaveContext,
  file: File | 'archive',
  size: number,
  options: SaveStoredOptions,
): Promise<void> {
  const { saveStored } = await import('../../saving/save-stored.ts')
  await saveStored({ ...context, file, size }, options)
}
