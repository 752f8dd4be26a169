import type { File } from '@svc/contract'

const isGone = ({ status }: Pick<File, 'status'>) => status === 'removed' || status === 'deleted'

/** Files without those that were removed and sent again under the same name. */
export function currentFiles<Of extends Pick<File, 'fileName' | 'status'>>(
  files: readonly Of[],
): readonly Of[] {
  if (!files.some(isGone)) return files
  const names = new Set(files.filter((file) => !isGone(file)).map(({ fileName }) => fileName))
  return files.filter((file) => !isGone(file) || !names.has(file.fileName))
}
