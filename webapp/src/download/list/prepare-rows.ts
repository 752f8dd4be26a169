import type { File } from '@svc/contract'
import { shallowRef } from 'vue'
import { prepareFolders } from '../../ui/file/use-folder-rows.ts'
import type FileRows from './FileRows.vue'

/** The rows of files, once an upload has several: an asynchronous component would appear a moment after the list. */
/* eslint no-restricted-syntax: "off" -- code that is loaded once, for all applications */
export const fileRows = shallowRef<typeof FileRows>()

/** Loads the rows of files and folders. */
export async function loadFileRows(): Promise<void> {
  fileRows.value ??= (await import('./FileRows.vue')).default
}

/** Loads what a list of several files needs, so that it appears in one step. A single file has a card. */
export async function prepareRows(files: readonly File[]): Promise<void> {
  if (files.length < 2) return
  try {
    await Promise.all([loadFileRows(), prepareFolders(files.map(({ fileName }) => fileName))])
  } catch {
    // The list loads them again, and the page shows why it cannot.
  }
}
