/* eslint no-restricted-syntax: "off" -- code that is loaded once, for all applications */

import { computed, shallowRef, watchEffect } from 'vue'
import type FolderRow from './FolderRow.vue'
import type * as FolderRows from './folder-rows.ts'
import type { FolderRowsOptions, TreeRow } from './folder-rows.ts'
import { hasFolders, plainRows } from './plain-rows.ts'

/** In longer lists, folders are closed at first. */
const manyFiles = 20

/** The module that makes a tree of folders, once a list needs it. */
const tree = shallowRef<typeof FolderRows>()

/** The row of a folder, which is loaded with the tree: an asynchronous component would appear a moment later. */
export const folderRow = shallowRef<typeof FolderRow>()

/** The rows of a list of files, with folders that open and close. Until the tree is loaded, files have their whole names. */
export function useFolderRows<Item extends { readonly key: string }>(
  items: () => readonly Item[],
  options: Pick<FolderRowsOptions<Item>, 'nameOf' | 'sizeOf'>,
) {
  /** What the visitor has opened or closed, by path. */
  const chosen = shallowRef<ReadonlyMap<string, boolean>>(new Map())
  const rows = computed((): TreeRow<Item>[] => {
    const all = items()
    if (tree.value === undefined) return plainRows(all, options.nameOf)
    return tree.value.folderRows(all, {
      ...options,
      isOpen: (path, { depth, only }) =>
        chosen.value.get(path) ?? (all.length <= manyFiles || (only && depth === 0)),
    })
  })
  watchEffect(() => {
    if (tree.value === undefined && hasFolders(items(), options.nameOf)) void loadFolders()
  })
  const toggle = (row: TreeRow<Item>) => {
    if (row.kind === 'folder') chosen.value = new Map(chosen.value).set(row.path, !row.open)
  }
  return { rows, toggle }
}

/** Loads what shows folders. */
async function loadFolders(): Promise<void> {
  const [rows, row] = await Promise.all([import('./folder-rows.ts'), import('./FolderRow.vue')])
  folderRow.value = row.default
  tree.value = rows
}

/** Loads what shows folders if the files have some, so that a list appears in one step. */
export async function prepareFolders(names: readonly string[]): Promise<void> {
  if (hasFolders(names, (name) => name)) await loadFolders()
}

/** Files in the order of their rows, with all folders open. */
export const inFolderOrder = <Item extends { readonly key: string }>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Item[] => tree.value?.inFolderOrder(items, nameOf) ?? items
