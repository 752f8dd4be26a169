import type { FileStatus } from './file.ts'

/** Whether a file is not part of its upload any more: its bytes are being removed, or have been. */
export const isGoneFile = ({ status }: { readonly status: FileStatus }): boolean =>
  status === 'removed' || status === 'deleted'
