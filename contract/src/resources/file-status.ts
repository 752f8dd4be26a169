import type { FileStatus } from './file.ts'

/** Whether the content of a file has not arrived whole: it is declared, or being sent. */
export const isIncompleteFile = ({ status }: { readonly status: FileStatus }): boolean =>
  status === 'missing' || status === 'uploading'

/** Whether a file is not part of its upload any more: its bytes are being removed, or have been. */
export const isGoneFile = ({ status }: { readonly status: FileStatus }): boolean =>
  status === 'removed' || status === 'deleted'
