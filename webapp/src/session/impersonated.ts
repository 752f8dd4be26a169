import { readStored, tabStorage, writeStored } from '../base/storage.ts'

const key = 'svc-acting-as'

/** Id of the user that an admin acts as in this tab, also after a reload; null without impersonation. */
export const impersonatedID = () => readStored(tabStorage, key)

export const rememberImpersonated = (userID: string | null) => writeStored(tabStorage, key, userID)
