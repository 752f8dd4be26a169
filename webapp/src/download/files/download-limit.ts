import type { Upload } from '@svc/contract'

/** Whether downloads of an upload count, so that only the user may start one. */
export const isLimited = ({ maxDownloads }: Pick<Upload, 'maxDownloads'>): boolean =>
  maxDownloads !== undefined
