/** A file as someone gave it to the page: its bytes, and its name with the folders it was in. */
export interface PickedFile {
  readonly blob: File
  readonly name: string
}

/** From a file input; files of a picked folder carry their path. */
export const filesFromInput = (files: Iterable<File>): PickedFile[] =>
  Array.from(files, (blob) => ({ blob, name: blob.webkitRelativePath || blob.name }))
