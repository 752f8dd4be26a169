/** A file in a list of files. */
export interface FileRow<Item> {
  readonly kind: 'file'
  readonly key: string
  readonly item: Item
  /** The name without the folders whose rows are above. */
  readonly name: string
  readonly depth: number
}

/** Whether a list needs rows of folders. A single file keeps its whole name. */
export const hasFolders = <Item>(items: readonly Item[], nameOf: (item: Item) => string): boolean =>
  items.length > 1 && items.some((item) => nameOf(item).includes('/'))

/** Files with their whole names. */
export const plainRows = <Item extends { readonly key: string }>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): FileRow<Item>[] =>
  items.map((item) => ({ kind: 'file', key: item.key, item, name: nameOf(item), depth: 0 }))
