import { isGoneFile, type File } from '@svc/contract'

/** Files without those that never arrived, and those that were removed and sent again under the same name. */
export function currentFiles<Of extends Pick<File, 'fileName' | 'status' | 'notUploaded'>>(
  files: readonly Of[],
): readonly Of[] {
  return withoutReplaced(files).filter(({ notUploaded }) => notUploaded !== true)
}

/** Files that never arrived, and were not sent again under the same name. */
export const lostFiles = <Of extends Pick<File, 'fileName' | 'status' | 'notUploaded'>>(
  files: readonly Of[],
): readonly Of[] => withoutReplaced(files).filter(({ notUploaded }) => notUploaded === true)

function withoutReplaced<Of extends Pick<File, 'fileName' | 'status'>>(files: readonly Of[]): readonly Of[] {
  if (!files.some(isGoneFile)) return files
  const names = new Set(files.filter((file) => !isGoneFile(file)).map(({ fileName }) => fileName))
  return files.filter((file) => !isGoneFile(file) || !names.has(file.fileName))
}
