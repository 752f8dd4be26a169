import { setTimeout as wait } from 'node:timers/promises'

/** Half the time limit of a test on an idle machine: a busy one gets as many attempts, and more time. */
const tries = 12_000
const pauseMs = 5

/**
 * Polls until there is a result, for work of another process.
 * @param what completes "waited in vain until …"
 * @returns the first result that is neither false nor undefined
 * @throws after a bounded number of attempts
 */
export async function until<Found>(
  what: string,
  look: () => Found | Promise<Found>,
): Promise<Exclude<Found, false | undefined>> {
  for (let tried = 0; tried < tries; tried++) {
    const found = await look()
    if (found !== false && found !== undefined) return found as Exclude<Found, false | undefined>
    await wait(pauseMs)
  }
  throw new Error(`waited in vain until ${what}`)
}
