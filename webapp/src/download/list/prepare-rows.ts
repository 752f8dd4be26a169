import type { File } from '@svc/contract'
import { shallowRef } from 'vue'
import { prepareFolders } from '../../ui/file/use-folder-rows.ts'
import type DownloadRow from './DownloadRow.vue'

/** The row of a file, once an upload has several: an asynchronous component would appear a moment after the list. */
export const downloadRow = shallowRef<typeof DownloadRow>()

/** Loads the row of a file. */
export async function loadDownloadRow(): Promise<void> {
  downloadRow.value ??= (await import('./DownloadRow.vue')).default
}

/** Loads what a list of several files needs, so that it appears in one step. A single file has a card. */
export async function prepareRows(files: readonly File[]): Promise<void> {
  if (files.length < 2) return
  try {
    await Promise.all([loadDownloadRow(), prepareFolders(files.map(({ fileName }) => fileName))])
  } catch {
    // The list loads them again, and the page shows why it cannot.
  }
}
