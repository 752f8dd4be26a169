import { remember, remembered, session } from '../app/storage.ts'

const key = (uploadID: string) => `svc-upload-token:${uploadID}`

/** Keeps an upload's token for this tab: it must not stay in the address, from where it would be shared. */
export function keepUploadToken(uploadID: string, token: string): void {
  remember(session, key(uploadID), token)
}

export const keptUploadToken = (uploadID: string): string | undefined =>
  remembered(session, key(uploadID)) ?? undefined

export function forgetUploadToken(uploadID: string): void {
  remember(session, key(uploadID), null)
}
