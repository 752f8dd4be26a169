/** A file that the user gave to the page: its bytes, and its name with folders. */
export interface PickedFile {
  readonly blob: File
  readonly name: string
}

/** The files of a file input; those of a picked folder have their path. */
export const filesFromInput = (files: Iterable<File>): PickedFile[] =>
  Array.from(files, (blob) => ({ blob, name: blob.webkitRelativePath || blob.name }))
