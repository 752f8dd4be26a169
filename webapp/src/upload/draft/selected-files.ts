import { fileNameFault, type FileNameFault } from '@svc/contract'
import { shallowRef } from 'vue'
import type { PickedFile } from './picked-file.ts'

/** A file that will be sent, unless something is wrong with it. */
export interface SelectedFile extends PickedFile {
  /** Unlike every other of this page; goes to the server as the file's reference. */
  readonly key: string
}

/** Why a file cannot be sent as it is. */
export type FileProblem = FileNameFault | 'tooBig' | 'tooMany'

/** What the server takes: bytes of a file (negative: any), and files of an upload. */
export interface FileLimits {
  readonly maxFileSize: number
  readonly maxFiles: number
  /** Upload size of a file of this size: larger when encrypted. */
  readonly uploadSize?: (bytes: number) => number
}

/** What is wrong with each file that cannot be sent, by its key. The first files have the places. */
export function findProblems(
  files: readonly SelectedFile[],
  { maxFileSize, maxFiles, uploadSize = (bytes) => bytes }: FileLimits,
): Map<string, FileProblem> {
  const faults = new Map<string, FileProblem>()
  let places = maxFiles
  for (const { key, name, blob } of files) {
    const fault =
      fileNameFault(name) ?? (maxFileSize >= 0 && uploadSize(blob.size) > maxFileSize ? 'tooBig' : undefined)
    if (fault) faults.set(key, fault)
    else if (places === 0) faults.set(key, 'tooMany')
    else places -= 1
  }
  return faults
}

const isSame = (a: PickedFile, b: PickedFile) =>
  a.name === b.name && a.blob.size === b.blob.size && a.blob.lastModified === b.blob.lastModified

/** The keys of files whose name another one has, too: all of them are sent, and differ only in their bytes. */
export function findDuplicateNames(files: readonly SelectedFile[]): Set<string> {
  const byName = Map.groupBy(files, ({ name }) => name)
  return new Set(
    [...byName.values()].filter(({ length }) => length > 1).flatMap((same) => same.map(({ key }) => key)),
  )
}

/** The list of files someone puts together. The same file given twice is one. */
export function useSelectedFiles() {
  const files = shallowRef<readonly SelectedFile[]>([])
  let given = 0
  /** @returns how many were in the list already */
  const add = (picked: readonly PickedFile[]): number => {
    const fresh = picked.filter((one) => !files.value.some((other) => isSame(one, other)))
    files.value = [...files.value, ...fresh.map((one) => ({ ...one, key: String(given++) }))]
    return picked.length - fresh.length
  }
  const remove = (key: string) => {
    files.value = files.value.filter((file) => file.key !== key)
  }
  const rename = (key: string, name: string) => {
    files.value = files.value.map((file) => (file.key === key ? { ...file, name } : file))
  }
  const clear = () => {
    files.value = []
  }
  return { files, add, remove, rename, clear }
}
