import { readSizes, type PickedFile } from '../draft/picked-file.ts'

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject))

/** A reader returns a folder in batches (Chromium: 100 entries); an empty batch ends it. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return all
    all.push(...some)
  }
}

/** Files dropped on the page or pasted into it. */
export interface DroppedFiles {
  readonly files: PickedFile[]
  /** Names of files and folders that the browser cannot read. */
  readonly unreadable: string[]
}

/** An unreadable entry does not affect the others. */
async function addBelow(entry: FileSystemEntry, folder: string, dropped: DroppedFiles): Promise<void> {
  const name = folder + entry.name
  try {
    if (entry.isFile) dropped.files.push({ blob: await fileOf(entry as FileSystemFileEntry), name })
    else
      for (const child of await entriesOf(entry as FileSystemDirectoryEntry))
        await addBelow(child, `${name}/`, dropped)
  } catch {
    dropped.unreadable.push(name)
  }
}

/** The files of a drop or a paste, with those in folders. */
export async function readDroppedFiles(transfer: DataTransfer): Promise<DroppedFiles> {
  // The items are valid only until the first await, so all entries are read before it.
  const taken = Array.from(transfer.items)
    .filter((item) => item.kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), blob: item.getAsFile() }))
  const dropped: DroppedFiles = { files: [], unreadable: [] }
  for (const { entry, blob } of taken) {
    if (entry?.isDirectory) await addBelow(entry, '', dropped)
    else if (blob) dropped.files.push({ blob, name: blob.name })
  }
  await readSizes(dropped.files)
  return dropped
}
