import { readStored, tabStorage, writeStored } from '../base/browser/storage.ts'

const key = 'svc-acting-as'

/* eslint no-restricted-syntax: "off" -- it belongs to the document, as the client of the API does, which sends it */
let impersonated = readStored(tabStorage, key)

/** Id of the user that an admin acts as in this document; null without impersonation. */
export const impersonatedID = () => impersonated

/**
 * Acts as a user in the documents that this tab loads from now on. In this one, requests continue as before, because the browser may
 * ask whether to leave it, and its user may stay.
 */
export const impersonateAfterReload = (userID: string) => writeStored(tabStorage, key, userID)

/** Ends the impersonation at once. */
export function endImpersonation(): void {
  impersonated = null
  writeStored(tabStorage, key, null)
}
