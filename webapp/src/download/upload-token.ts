import { writeStored, readStored, tabStorage } from '../base/browser/storage.ts'

const key = (uploadID: string) => `svc-upload-token:${uploadID}`

/** Stores an upload's token for this tab and removes it from the address, which users share. */
export function saveUploadToken(uploadID: string, token: string): void {
  writeStored(tabStorage, key(uploadID), token)
}

export const savedUploadToken = (uploadID: string): string | undefined =>
  readStored(tabStorage, key(uploadID)) ?? undefined

export function removeUploadToken(uploadID: string): void {
  writeStored(tabStorage, key(uploadID), null)
}
