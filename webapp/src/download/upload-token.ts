import { writeStored, readStored, session } from '../base/storage.ts'

const key = (uploadID: string) => `svc-upload-token:${uploadID}`

/** Keeps an upload's token for this tab: it must not stay in the address, from where it would be shared. */
export function saveUploadToken(uploadID: string, token: string): void {
  writeStored(session, key(uploadID), token)
}

export const savedUploadToken = (uploadID: string): string | undefined =>
  readStored(session, key(uploadID)) ?? undefined

export function removeUploadToken(uploadID: string): void {
  writeStored(session, key(uploadID), null)
}
