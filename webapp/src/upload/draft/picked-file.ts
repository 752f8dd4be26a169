/* eslint no-restricted-syntax: "off" -- a cache that keeps no file: an entry ends with its file */
/** A file that the user gave to the page: its bytes, and its name with folders. */
export interface PickedFile {
  readonly blob: File
  readonly name: string
}

/** The files of a file input; those of a picked folder have their path. */
export const filesFromInput = (files: Iterable<File>): PickedFile[] =>
  Array.from(files, (blob) => ({ blob, name: blob.webkitRelativePath || blob.name }))

/** Bytes. Chromium looks at the disk each time that it is asked for the size of a chosen file, which blocks the page. */
const sizes = new WeakMap<Blob, number>()

/** The size of a file when it was first asked for, in bytes. A file that has changed since then cannot be read. */
export function sizeOf(blob: Blob): number {
  const known = sizes.get(blob)
  if (known !== undefined) return known
  const { size } = blob
  sizes.set(blob, size)
  return size
}

/** ms after which the page responds again. */
const longestTask = 30

/** Reads the sizes of many files without blocking the page. */
export async function readSizes(picked: readonly PickedFile[]): Promise<void> {
  let start = performance.now()
  for (const { blob } of picked) {
    sizeOf(blob)
    if (performance.now() - start < longestTask) continue
    await new Promise((resolve) => setTimeout(resolve))
    start = performance.now()
  }
}
