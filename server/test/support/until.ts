import { setTimeout as wait } from 'node:timers/promises'

/** Half the time limit of a test on an idle machine: a busy one is given as many looks, and more time. */
const tries = 12_000
const pauseMs = 5

/**
 * Looks again and again until there is something, for what the other side does in its own time.
 * @param what completes "waited in vain until …"
 * @returns the first answer that is neither false nor undefined
 * @throws after a bounded number of looks
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
