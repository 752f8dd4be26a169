import { createPlainEngine, isSealedName, openName } from '@svc/encryption'

const engine = createPlainEngine()

/** The decrypted name of a file; undefined for a name that the identity does not open. */
export async function openedName(sealed: string, identity: string): Promise<string | undefined> {
  if (!isSealedName(sealed)) return undefined
  try {
    return await openName(sealed, { identities: [identity] }, engine)
  } catch {
    return undefined
  }
}
