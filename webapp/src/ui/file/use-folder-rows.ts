import { computed, shallowRef } from 'vue'
import { folderRows, type ListRow } from './folder-rows.ts'

/** In longer lists, folders are closed at first. */
const manyFiles = 20

/** The rows of a list of files, with folders that open and close. */
export function useFolderRows<Item extends { readonly key: string }>(
  items: () => readonly Item[],
  of: { readonly nameOf: (item: Item) => string; readonly sizeOf: (item: Item) => number },
) {
  /** What the visitor has opened or closed, by path. */
  const chosen = shallowRef<ReadonlyMap<string, boolean>>(new Map())
  const rows = computed(() => {
    const all = items()
    return folderRows(all, {
      ...of,
      isOpen: (path, { depth, only }) =>
        chosen.value.get(path) ?? (all.length <= manyFiles || (only && depth === 0)),
    })
  })
  const toggle = (row: ListRow<Item>) => {
    if (row.kind === 'folder') chosen.value = new Map(chosen.value).set(row.path, !row.open)
  }
  return { rows, toggle }
}
