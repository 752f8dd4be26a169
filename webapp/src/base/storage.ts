/** What the browser does not keep still holds for this page. */
const unkept = new Map<string, string>()

/** Reads a remembered choice. Storage may be forbidden, in private windows for example: then this page alone knows. */
export function readStored(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key) ?? unkept.get(key) ?? null
  } catch {
    return unkept.get(key) ?? null
  }
}

/** Remembers a choice as long as the browser lets us; null forgets it. */
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

/** Forgets every choice whose key begins like this. */
export function removeStored(storage: () => Storage, prefix: string): void {
  try {
    for (const key of Object.keys(storage())) if (key.startsWith(prefix)) storage().removeItem(key)
  } catch {
    for (const key of unkept.keys()) if (key.startsWith(prefix)) unkept.delete(key)
  }
}

export const local = () => localStorage
export const session = () => sessionStorage
