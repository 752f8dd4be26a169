import { remember, remembered, session } from '../app/storage.ts'

const key = 'svc-after-login'

/** Keeps where to go after logging in while the browser is away at a provider. */
export function keepTarget(target: string): void {
  remember(session, key, target)
}

/** Where to go, once. */
export function takeTarget(): string | undefined {
  const target = remembered(session, key) ?? undefined
  remember(session, key, null)
  return target
}
