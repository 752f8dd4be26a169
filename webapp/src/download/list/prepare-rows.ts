import type { File } from '@svc/contract'
import { prepareFolders } from '../../ui/file/use-folder-rows.ts'

export const loadDownloadRow = () => import('./DownloadRow.vue')

/** Loads what a list of several files needs, so that it appears in one step. A single file has a card. */
export async function prepareRows(files: readonly File[]): Promise<void> {
  if (files.length < 2) return
  try {
    await Promise.all([loadDownloadRow(), prepareFolders(files.map(({ fileName }) => fileName))])
  } catch {
    // The list loads them again, and the page shows why it cannot.
  }
}
