import type { Upload } from '@svc/contract'

/**
 * Whether the page may load a file without being asked: a request uses no download, changes no time to live, and needs neither
 * a password nor a key.
 */
export const isFreeToLoad = (upload: Upload): boolean =>
  !upload.oneShot &&
  upload.maxDownloads === undefined &&
  !upload.stream &&
  !upload.extend_ttl &&
  !upload.protectedByPassword &&
  upload.e2ee === ''
