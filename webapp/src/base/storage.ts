/** Values that the browser does not store, kept for this page. */
const unkept = new Map<string, string>()

/** Reads a stored choice. Storage may be forbidden, for example in private windows: then the choice lasts for this page. */
export function readStored(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key) ?? unkept.get(key) ?? null
  } catch {
    return unkept.get(key) ?? null
  }
}

/** Stores a choice; null removes it. */
export function writeStored(storage: () => Storage, key: string, value: string | null): void {
  try {
    if (value === null) storage().removeItem(key)
    else storage().setItem(key, value)
    unkept.delete(key)
  } catch {
    if (value === null) unkept.delete(key)
    else unkept.set(key, value)
  }
}

/** Removes the choices whose keys have a prefix. */
export function removeStored(storage: () => Storage, prefix: string): void {
  try {
    for (const key of Object.keys(storage())) if (key.startsWith(prefix)) storage().removeItem(key)
  } catch {
    for (const key of unkept.keys()) if (key.startsWith(prefix)) unkept.delete(key)
  }
}

export const local = () => localStorage
export const session = () => sessionStorage
