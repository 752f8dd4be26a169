import { isIncompleteFile, type File, type Upload } from '@svc/contract'
import type { KeyRing } from '../encryption/key-ring.ts'
import { pathsWithIDs, safePath } from '../files/safe-path.ts'

/** A received file. */
interface Named {
  readonly file: File
  /** Its decrypted name; its id if the name cannot be decrypted. */
  readonly name: string
  /** Why the name cannot be decrypted. */
  readonly nameError?: unknown
}

/** A file with its path below the folder of its upload. */
export interface PlacedFile extends Named {
  readonly path: string
}

export const isUnfinished = ({ files }: Upload): boolean => files.some(isIncompleteFile)

export const isStored = ({ status }: File): boolean => status === 'uploaded'

/**
 * Assigns a path to each file of an upload, including those that are removed or have not arrived: otherwise a file
 * could get the path of a removed one, and count as already fetched. The order of the files on the server may change.
 * @param keys keys of the upload; undefined to use the names on the server
 */
export async function placedFiles(
  { files }: Pick<Upload, 'files'>,
  keys: KeyRing | undefined,
  platform: NodeJS.Platform,
): Promise<readonly PlacedFile[]> {
  const named: Named[] = []
  for (const file of files) named.push(await withName(file, keys))
  const paths = pathsWithIDs(
    named.map(({ file, name }) => ({ id: file.id, segments: safePath(name, platform) })),
  )
  return named.map((namedFile, index) => ({ ...namedFile, path: paths[index] ?? namedFile.file.id }))
}

/** Senders encrypt names, too. A name that is not encrypted does not prevent the download. */
async function withName(file: File, keys: KeyRing | undefined): Promise<Named> {
  if (keys === undefined) return { file, name: file.fileName }
  const { decryptName } = await import('@svc/encryption')
  try {
    return { file, name: await decryptName(file.fileName, keys.current(), keys.engine) }
  } catch (nameError) {
    return { file, name: file.id, nameError }
  }
}
