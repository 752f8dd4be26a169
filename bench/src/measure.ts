/** How often each thing is measured. */
export const rounds = 5

/**
 * Measures several things in turn, round by round, so that a machine that is slow for a while is slow for all.
 * @returns the figures of each, in the order of the rounds
 */
export async function interleave<const Name extends string>(
  contestants: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, readonly number[]>> {
  const entries = Object.entries(contestants) as [Name, () => Promise<number>][]
  const figures = Object.fromEntries(entries.map(([name]) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measure] of entries) figures[name].push(await measure())
  }
  return figures
}

/** The middle one of some figures; of an even number, the mean of the two in the middle. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN
  return (lower + upper) / 2
}

/** Seconds that some work takes. */
export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}
