import type { Service } from './service.ts'

const signMs = 30_000

/** A process that gave no sign of life for this long is dead: three signs, and clocks that differ by 30 s. */
export const silenceMs = 120_000

/**
 * Tells the others on the same database that this process lives, until the answer is called.
 * A process without signs of life loses what it was receiving to the next cleaning.
 * @param url where the others reach this process; empty when they cannot
 */
export async function startSignsOfLife(
  { store, clock, instance, log }: Service,
  url: string,
): Promise<() => Promise<void>> {
  const sign = () => store.instances.seen({ id: instance, url }, clock.now())
  await sign()
  const stop = clock.every(signMs, () => {
    sign().catch((error: unknown) => {
      log.error({ err: error }, 'the sign of life could not be written')
    })
  })
  return async () => {
    stop()
    await store.instances.forget(instance)
  }
}
