import { effectiveLimits, type UploadLimits } from '@svc/contract'

/** Bytes; negative means unlimited. @param user null for a guest */
export const maxFileSizeOf = (user: UploadLimits | null, server: UploadLimits): number =>
  effectiveLimits(user, server).maxFileSize

/** Bytes; negative means unlimited, as for a guest. */
export const maxUserSizeOf = (user: UploadLimits | null, server: UploadLimits): number =>
  effectiveLimits(user, server).maxUserSize

/** Seconds; negative means unlimited. */
export const maxTTLOf = (user: UploadLimits | null, server: UploadLimits): number =>
  effectiveLimits(user, server).maxTTL
