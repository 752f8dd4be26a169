import { isGoneFile, type File } from '@svc/contract'

/** Files without those that never arrived, and those that were removed and sent again under the same name. */
export function currentFiles<Item extends Pick<File, 'fileName' | 'status' | 'notUploaded'>>(
  files: readonly Item[],
): readonly Item[] {
  return withoutReplaced(files).filter(({ notUploaded }) => notUploaded !== true)
}

/** Files that never arrived, and were not sent again under the same name. */
export const lostFiles = <Item extends Pick<File, 'fileName' | 'status' | 'notUploaded'>>(
  files: readonly Item[],
): readonly Item[] => withoutReplaced(files).filter(({ notUploaded }) => notUploaded === true)

function withoutReplaced<Item extends Pick<File, 'fileName' | 'status'>>(
  files: readonly Item[],
): readonly Item[] {
  if (!files.some(isGoneFile)) return files
  const names = new Set(files.filter((file) => !isGoneFile(file)).map(({ fileName }) => fileName))
  return files.filter((file) => !isGoneFile(file) || !names.has(file.fileName))
}
