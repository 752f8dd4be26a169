/** Reads a remembered choice. Storage may be forbidden, in private windows for example: then nothing is known. */
export function remembered(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key)
  } catch {
    return null
  }
}

/** Remembers a choice as long as the browser lets us; null forgets it. */
export function remember(storage: () => Storage, key: string, value: string | null): void {
  try {
    if (value === null) storage().removeItem(key)
    else storage().setItem(key, value)
  } catch {
    // A choice that cannot be kept still holds for this page.
  }
}

/** Forgets every choice whose key begins like this. */
export function forgetAll(storage: () => Storage, prefix: string): void {
  try {
    for (const key of Object.keys(storage())) if (key.startsWith(prefix)) storage().removeItem(key)
  } catch {
    // What may not be kept was not kept.
  }
}

export const local = () => localStorage
export const session = () => sessionStorage
