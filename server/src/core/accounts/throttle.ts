import { hash } from 'node:crypto'
import { networkOf } from '../../domain/access/addresses.ts'
import { tooManyAttempts } from '../../domain/errors.ts'
import type { Service } from '../service.ts'

const windowMs = 5 * 60_000

/** Failures in a window, for one thing that is guessed at. */
const mostGuesses = 10

/** Failures in a window, whatever is guessed at: who tries one password on many logins is stopped by this. */
const mostOfAddress = 100

/** What somebody tries to guess. */
export interface Attempt {
  readonly kind: 'login' | 'upload password' | 'command-line login'
  /** The login, the upload or the code. */
  readonly subject: string
  /** Who tries it. */
  readonly address: string
}

/**
 * Counts an attempt before it is judged, so that many at the same moment cannot pass the limit. All processes
 * on one database count together. One that is right, or that could not be judged, is taken back.
 * @param judge tells whether it is right
 * @throws ServiceError `too_many_attempts`, and what `judge` throws
 */
export async function throttled(
  service: Pick<Service, 'clock' | 'store'>,
  guess: Attempt,
  judge: () => Promise<boolean>,
): Promise<boolean> {
  const { attempts } = service.store
  const network = networkOf(guess.address)
  const ofAddress = keyOf(guess.kind, network)
  const ofSubject = keyOf(guess.kind, network, guess.subject)
  await countOne(service, ofAddress, mostOfAddress)
  try {
    await countOne(service, ofSubject, mostGuesses)
  } catch (error) {
    await attempts.uncount(ofAddress)
    throw error
  }
  const isRight = await judge().catch(async (error: unknown) => {
    await attempts.uncount(ofAddress)
    await attempts.uncount(ofSubject)
    throw error
  })
  if (isRight) {
    await attempts.uncount(ofAddress)
    await attempts.forget(ofSubject)
  }
  return isRight
}

const keyOf = (...parts: readonly string[]): string => hash('sha256', JSON.stringify(parts), 'base64url')

async function countOne(
  { store: { attempts }, clock }: Pick<Service, 'clock' | 'store'>,
  key: string,
  most: number,
): Promise<void> {
  for (;;) {
    const now = clock.now()
    if (await attempts.count(key, most, now)) return
    if (await attempts.beginAnew(key, now, now + windowMs)) return
    if (await attempts.begin(key, now + windowMs)) return
    // Somebody else began or filled the window between two of these.
    const until = await attempts.fullUntil(key, most)
    if (until !== undefined && until > now) throw tooManyAttempts(Math.ceil((until - now) / 1000))
  }
}
