import { writeStored, readStored, session } from '../base/storage.ts'

const key = 'svc-after-login'

/** Stores the target of a login while the browser visits a provider. */
export function saveReturnTo(target: string): void {
  writeStored(session, key, target)
}

/** Reads and removes the target. */
export function takeReturnTo(): string | undefined {
  const target = readStored(session, key) ?? undefined
  writeStored(session, key, null)
  return target
}
