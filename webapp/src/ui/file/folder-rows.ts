import { hasFolders, plainRows, type FileRow } from './plain-rows.ts'

/** A folder in a list of files. */
export interface FolderRow<Item> {
  readonly kind: 'folder'
  readonly key: string
  /** All folders on the way, each with its slash. */
  readonly path: string
  /** The path of the folder around it; empty for none. */
  readonly parent: string
  /** The last folder of the path, or several that contain nothing else. */
  readonly name: string
  /** Number of folders around it. */
  readonly depth: number
  readonly open: boolean
  /** Number of all files in it. */
  readonly count: number
  /** Bytes of all files in it. */
  readonly size: number
  readonly items: readonly Item[]
}

/** A row of a list that shows files in folders. */
export type TreeRow<Item> = FolderRow<Item> | FileRow<Item>

export interface FolderRowsOptions<Item> {
  readonly nameOf: (item: Item) => string
  /** Bytes. */
  readonly sizeOf: (item: Item) => number
  readonly isOpen: (path: string, folder: { readonly depth: number; readonly only: boolean }) => boolean
}

interface Folder<Item> {
  readonly path: string
  readonly folders: Map<string, Folder<Item>>
  /** The files that are in no folder of it. */
  readonly files: FileRow<Item>[]
  /** All files in it. */
  readonly items: Item[]
}

const newFolder = <Item>(path: string): Folder<Item> => ({
  path,
  folders: new Map(),
  files: [],
  items: [],
})

/** Deeper names are shown as a whole: a thousand with five hundred folders each would block the page. */
const maxDepth = 32

/** A name with an empty segment has no place in a folder. */
const foldersIn = (name: string): readonly string[] => {
  const segments = name.split('/')
  return segments.includes('') || segments.length > maxDepth + 1 ? [] : segments.slice(0, -1)
}

function folderWithin<Item>(parent: Folder<Item>, segment: string): Folder<Item> {
  const known = parent.folders.get(segment)
  if (known) return known
  const folder = newFolder<Item>(`${parent.path}${segment}/`)
  parent.folders.set(segment, folder)
  return folder
}

function treeOf<Item extends { readonly key: string }>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Folder<Item> {
  const root = newFolder<Item>('')
  for (const item of items) {
    const name = nameOf(item)
    let folder = root
    for (const segment of foldersIn(name)) {
      folder = folderWithin(folder, segment)
      folder.items.push(item)
    }
    folder.files.push({
      kind: 'file',
      key: item.key,
      item,
      name: name.slice(folder.path.length),
      depth: 0,
    })
  }
  return root
}

/** The innermost of the folders that contain only one folder. */
function innermost<Item>(folder: Folder<Item>): Folder<Item> {
  let inner = folder
  for (;;) {
    const [only, ...others] = inner.folders.values()
    if (only === undefined || others.length > 0 || inner.files.length > 0) return inner
    inner = only
  }
}

/** `day 2` is before `day 10`. */
const { compare } = new Intl.Collator(undefined, { numeric: true })

/**
 * Files as rows below the rows of their folders. Folders are in the order of their names, files after them in the given order.
 * A single file keeps its whole name.
 */
export function folderRows<Item extends { readonly key: string }>(
  items: readonly Item[],
  { nameOf, sizeOf, isOpen }: FolderRowsOptions<Item>,
): TreeRow<Item>[] {
  if (!hasFolders(items, nameOf)) return plainRows(items, nameOf)
  const rows: TreeRow<Item>[] = []
  const add = (parent: Folder<Item>, depth: number) => {
    const folders = [...parent.folders.values()].sort((a, b) => compare(a.path, b.path))
    for (const folder of folders.map(innermost)) {
      const open = isOpen(folder.path, { depth, only: folders.length === 1 && parent.files.length === 0 })
      rows.push({
        kind: 'folder',
        key: folder.path,
        path: folder.path,
        parent: parent.path,
        name: folder.path.slice(parent.path.length, -1),
        depth,
        open,
        count: folder.items.length,
        size: folder.items.reduce((sum, item) => sum + sizeOf(item), 0),
        items: folder.items,
      })
      if (open) add(folder, depth + 1)
    }
    for (const file of parent.files) rows.push({ ...file, depth })
  }
  add(treeOf(items, nameOf), 0)
  return rows
}

/** Files in the order of their rows, with all folders open. */
export const inFolderOrder = <Item extends { readonly key: string }>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Item[] =>
  folderRows(items, { nameOf, sizeOf: () => 0, isOpen: () => true }).flatMap((row) =>
    row.kind === 'file' ? [row.item] : [],
  )
