/* eslint no-restricted-syntax: "off" -- it stands in for the storage, which all applications of a browser share */

/** Values that the browser refuses to store. They last for this page. */
const inMemory = new Map<string, string>()

/** Reads a stored choice. Storage may be forbidden, for example in private windows: then the choice lasts for this page. */
export function readStored(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key) ?? inMemory.get(key) ?? null
  } catch {
    return inMemory.get(key) ?? null
  }
}

/** Stores a choice; null removes it. */
export function writeStored(storage: () => Storage, key: string, value: string | null): void {
  try {
    if (value === null) storage().removeItem(key)
    else storage().setItem(key, value)
    inMemory.delete(key)
  } catch {
    if (value === null) inMemory.delete(key)
    else inMemory.set(key, value)
  }
}

/** Removes the choices whose keys have a prefix. */
export function removeStored(storage: () => Storage, prefix: string): void {
  try {
    for (const key of Object.keys(storage())) if (key.startsWith(prefix)) storage().removeItem(key)
  } catch {
    for (const key of inMemory.keys()) if (key.startsWith(prefix)) inMemory.delete(key)
  }
}

/** Storage that all tabs share and that outlives them. */
export const deviceStorage = () => localStorage

/** Storage of this tab, until it is closed. */
export const tabStorage = () => sessionStorage
