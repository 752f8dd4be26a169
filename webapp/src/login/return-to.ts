import { writeStored, readStored, tabStorage } from '../base/browser/storage.ts'

const key = 'svc-after-login'

/** Stores the target of a login while the browser visits a provider. */
export function saveReturnTo(target: string): void {
  writeStored(tabStorage, key, target)
}

/** Reads and removes the target. */
export function takeReturnTo(): string | undefined {
  const target = readStored(tabStorage, key) ?? undefined
  writeStored(tabStorage, key, null)
  return target
}
