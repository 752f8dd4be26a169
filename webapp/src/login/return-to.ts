import { writeStored, readStored, session } from '../base/storage.ts'

const key = 'svc-after-login'

/** Keeps where to go after logging in while the browser is away at a provider. */
export function saveReturnTo(target: string): void {
  writeStored(session, key, target)
}

/** Where to go, once. */
export function takeReturnTo(): string | undefined {
  const target = readStored(session, key) ?? undefined
  writeStored(session, key, null)
  return target
}
