import { fileNameFault, isAllowedExtension, type FileNameFault } from '@svc/contract'
import { shallowRef } from 'vue'
import { sizeOf, type PickedFile } from './picked-file.ts'

/** A selected file. `findProblems` says whether it can be sent. */
export interface SelectedFile extends PickedFile {
  /** Unique on the page; the `reference` of the declared file. */
  readonly key: string
}

/** The reason why a file cannot be sent. */
export type FileProblem = FileNameFault | 'tooBig' | 'tooMany' | 'noSpace' | 'extension'

/** Limits of the server: bytes of a file (negative: unlimited), and files of an upload. */
export interface FileLimits {
  readonly maxFileSize: number
  readonly maxFiles: number
  /** Bytes that the account has free, for all files together; undefined if it is unlimited or unknown. */
  readonly freeSpace?: number | undefined
  /** Bytes of a file as it is sent; an encrypted file is larger. By default its size. */
  readonly uploadSize?: ((bytes: number) => number) | undefined
  /** Allowed extensions; without any, all files are allowed. */
  readonly extensions?: readonly string[]
  /** Bytes of a name in UTF-8, where names are encrypted. */
  readonly maxNameBytes?: number | undefined
}

/**
 * Errors of files that cannot be sent, by key. Beyond the maximum number, the last files have an error, as have those that do not fit
 * in the space that the files before them leave.
 */
export function findProblems(
  files: readonly SelectedFile[],
  {
    maxFileSize,
    maxFiles,
    freeSpace = Infinity,
    uploadSize = (bytes) => bytes,
    extensions = [],
    maxNameBytes,
  }: FileLimits,
): Map<string, FileProblem> {
  const problems = new Map<string, FileProblem>()
  let places = maxFiles
  let free = freeSpace
  for (const { key, name, blob } of files) {
    const problem =
      fileNameFault(name) ??
      (maxNameBytes !== undefined && new TextEncoder().encode(name).length > maxNameBytes
        ? 'long'
        : undefined) ??
      (isAllowedExtension(name, extensions) ? undefined : 'extension') ??
      (maxFileSize >= 0 && uploadSize(sizeOf(blob)) > maxFileSize ? 'tooBig' : undefined)
    if (problem) problems.set(key, problem)
    else if (places === 0) problems.set(key, 'tooMany')
    else if (uploadSize(sizeOf(blob)) > free) problems.set(key, 'noSpace')
    else {
      places -= 1
      free -= uploadSize(sizeOf(blob))
    }
  }
  return problems
}

/** Of two files with the same name. */
const isSameFile = (a: PickedFile, b: PickedFile) =>
  sizeOf(a.blob) === sizeOf(b.blob) && a.blob.lastModified === b.blob.lastModified

/** Keys of files that share their name with another one. All of them are sent. */
export function findDuplicateNames(files: readonly SelectedFile[]): Set<string> {
  const byName = Map.groupBy(files, ({ name }) => name)
  return new Set(
    [...byName.values()].filter(({ length }) => length > 1).flatMap((same) => same.map(({ key }) => key)),
  )
}

/** The list of selected files. A file that is added twice appears once. */
export function useSelectedFiles() {
  const files = shallowRef<readonly SelectedFile[]>([])
  let lastKey = 0
  /** @returns number of files that were already in the list */
  const add = (picked: readonly PickedFile[]): number => {
    const known = Map.groupBy(files.value, ({ name }) => name)
    const added = picked.filter(
      (file) => known.get(file.name)?.some((other) => isSameFile(file, other)) !== true,
    )
    files.value = [...files.value, ...added.map((file) => ({ ...file, key: String(lastKey++) }))]
    return picked.length - added.length
  }
  const remove = (keys: readonly string[]) => {
    const removed = new Set(keys)
    files.value = files.value.filter(({ key }) => !removed.has(key))
  }
  const rename = (key: string, name: string) => {
    files.value = files.value.map((file) => (file.key === key ? { ...file, name } : file))
  }
  const clear = () => {
    files.value = []
  }
  return { files, add, remove, rename, clear }
}
