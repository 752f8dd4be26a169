import type { PickedFile } from './picked-file.ts'

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject))

/** A reader hands out a folder in pieces (Chromium: 100 entries), an empty piece ends it. */
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

async function filesBelow(entry: FileSystemEntry, folder: string): Promise<PickedFile[]> {
  const name = folder + entry.name
  if (entry.isFile) return [{ blob: await fileOf(entry as FileSystemFileEntry), name }]
  const below: PickedFile[] = []
  for (const child of await entriesOf(entry as FileSystemDirectoryEntry)) {
    below.push(...(await filesBelow(child, `${name}/`)))
  }
  return below
}

/** What a drop or a paste carries, with folders opened. */
export async function filesOf(transfer: DataTransfer): Promise<PickedFile[]> {
  // The items are gone after the first wait, so all entries are taken at once.
  const taken = Array.from(transfer.items)
    .filter((item) => item.kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), blob: item.getAsFile() }))
  const picked: PickedFile[] = []
  for (const { entry, blob } of taken) {
    if (entry?.isDirectory) picked.push(...(await filesBelow(entry, '')))
    else if (blob) picked.push({ blob, name: blob.name })
  }
  return picked
}
