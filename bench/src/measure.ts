/** Enough rounds for a median; an odd number, so that the median is one of the measured values. */
export const rounds = 5

/**
 * Measures several things in turn, round by round, so that a slow moment of the machine affects all.
 * @param count number of rounds
 * @returns the results of each, in the order of the rounds
 */
export async function interleave<const Name extends string>(
  contestants: Readonly<Record<Name, () => Promise<number>>>,
  count = rounds,
): Promise<Record<Name, readonly number[]>> {
  const entries = Object.entries(contestants) as [Name, () => Promise<number>][]
  const measurements = Object.fromEntries(entries.map(([name]) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >
  for (let round = 0; round < count; round += 1) {
    for (const [name, measure] of entries) measurements[name].push(await measure())
  }
  return measurements
}

/** The median; of an even number, the mean of the two middle values. */
export function median(measurements: readonly number[]): number {
  const sorted = measurements.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN
  return (lower + upper) / 2
}

/** The duration of some work, in seconds. */
export async function timeInSeconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}
