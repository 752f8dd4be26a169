import type { File } from '@svc/contract'
import { shallowRef } from 'vue'
import { prepareFolders } from '../../ui/file/use-folder-rows.ts'
import type DownloadFolder from './DownloadFolder.vue'
import type DownloadRow from './DownloadRow.vue'

/** The row of a file, once an upload has several: an asynchronous component would appear a moment after the list. */
/* eslint no-restricted-syntax: "off" -- code that is loaded once, for all applications */
export const downloadRow = shallowRef<typeof DownloadRow>()
/** The row of a folder, which comes with that of a file. */
export const downloadFolder = shallowRef<typeof DownloadFolder>()

/** Loads the rows of files and folders. */
export async function loadDownloadRow(): Promise<void> {
  if (downloadRow.value !== undefined) return
  const [row, folder] = await Promise.all([import('./DownloadRow.vue'), import('./DownloadFolder.vue')])
  downloadFolder.value = folder.default
  downloadRow.value = row.default
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
