import { isGoneFile, type File } from '@svc/contract'

/** Files without those that were removed and sent again under the same name. */
export function currentFiles<Of extends Pick<File, 'fileName' | 'status'>>(
  files: readonly Of[],
): readonly Of[] {
  if (!files.some(isGoneFile)) return files
  const names = new Set(files.filter((file) => !isGoneFile(file)).map(({ fileName }) => fileName))
  return files.filter((file) => !isGoneFile(file) || !names.has(file.fileName))
}
