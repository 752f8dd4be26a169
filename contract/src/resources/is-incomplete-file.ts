import type { FileStatus } from './file.ts'

/** Whether the content of a file has not arrived whole: it is declared, or being sent. */
export const isIncompleteFile = ({ status }: { readonly status: FileStatus }): boolean =>
  status === 'missing' || status === 'uploading'
