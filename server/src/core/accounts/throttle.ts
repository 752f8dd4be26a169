import { hash } from 'node:crypto'
import { networkOf } from '../../domain/access/addresses.ts'
import { tooManyAttempts } from '../../domain/errors.ts'
import type { Service } from '../service.ts'

/** The duration of a window for attempts to guess a secret. */
const guessWindowMs = 5 * 60_000

/** The maximum number of failures in a window for one subject. */
const maxFailures = 10

/** The maximum number of failures in a window for a network, which limits the logins on which one password can be tried. */
const maxFailuresOfNetwork = 100

/** An attempt to guess a secret. */
export interface Attempt {
  readonly kind: 'login' | 'upload password' | 'request password' | 'command-line login' | 'provider login'
  /** The login, the upload or the code; null when only the network is known. */
  readonly subject: string | null
  /** The source address of the attempt. */
  readonly address: string
}

/**
 * Counts an attempt before its check, so that parallel attempts cannot exceed the limit. All instances on one
 * database count together. An attempt whose check failed with an error is not counted. A correct attempt is not counted
 * either, and resets the counter of its subject.
 * @param check returns whether the attempt is correct
 * @throws ServiceError `too_many_attempts`, and the errors of `check`
 */
export async function throttle(
  service: Pick<Service, 'clock' | 'store'>,
  attempt: Attempt,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const { attempts } = service.store
  const network = networkOf(attempt.address)
  const networkKey = counterKey(attempt.kind, network)
  const subjectKey = attempt.subject === null ? null : counterKey(attempt.kind, network, attempt.subject)
  await countAttempts(service, [
    { key: networkKey, max: maxFailuresOfNetwork, windowMs: guessWindowMs },
    ...(subjectKey === null ? [] : [{ key: subjectKey, max: maxFailures, windowMs: guessWindowMs }]),
  ])
  const isCorrect = await check().catch(async (error: unknown) => {
    await attempts.decrement(networkKey)
    if (subjectKey !== null) await attempts.decrement(subjectKey)
    throw error
  })
  if (isCorrect) {
    await attempts.decrement(networkKey)
    if (subjectKey !== null) await attempts.remove(subjectKey)
  }
  return isCorrect
}

/** The key of a counter. */
export const counterKey = (...parts: readonly string[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url')

interface Window {
  /** The maximum number of attempts in a window. */
  readonly max: number
  readonly windowMs: number
  /** How much the attempt counts; 1 by default. */
  readonly amount?: number
  /** The error of an attempt that does not fit, `too_many_attempts` by default; it gets the seconds until the next window. */
  readonly refusal?: (seconds: number) => Error
}

/**
 * Counts an attempt, of which a window of time has a limited number.
 * @throws ServiceError `too_many_attempts`
 */
export async function countAttempt(
  { store: { attempts }, clock }: Pick<Service, 'clock' | 'store'>,
  key: string,
  { max, windowMs, amount = 1, refusal = tooManyAttempts }: Window,
): Promise<void> {
  if (amount > max) throw refusal(Math.ceil(windowMs / 1000))
  for (;;) {
    const now = clock.now()
    if (await attempts.increment(key, max, now, amount)) return
    if (await attempts.restartWindow(key, now, now + windowMs, amount)) return
    if (await attempts.startWindow(key, now + windowMs, amount)) return
    // Another request started or filled the window between two of these.
    const until = await attempts.exhaustedUntil(key, max - amount + 1)
    if (until !== undefined && until > now) throw refusal(Math.ceil((until - now) / 1000))
  }
}

/**
 * Counts an attempt in several counters: in all of them, or in none if one of them is full.
 * @throws ServiceError `too_many_attempts`
 */
export async function countAttempts(
  service: Pick<Service, 'clock' | 'store'>,
  windows: readonly (Omit<Window, 'amount'> & { readonly key: string })[],
): Promise<void> {
  const counted: string[] = []
  try {
    for (const { key, ...window } of windows) {
      await countAttempt(service, key, window)
      counted.push(key)
    }
  } catch (error) {
    for (const key of counted) await service.store.attempts.decrement(key)
    throw error
  }
}
