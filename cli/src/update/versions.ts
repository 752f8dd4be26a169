const parts = (version: string): readonly number[] | undefined => {
  const found = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?$/.exec(version)
  return found?.slice(1).map(Number)
}

export type Age = 'newer' | 'same' | 'older' | 'unknown'

/** Compares a version with that of this program. Parts after the three numbers are ignored. */
export function ageOf(offered: string, own: string): Age {
  const [offeredParts, ownParts] = [parts(offered), parts(own)]
  if (offeredParts === undefined || ownParts === undefined) return 'unknown'
  const step =
    offeredParts.map((part, index) => part - (ownParts[index] ?? 0)).find((difference) => difference !== 0) ??
    0
  if (step === 0) return 'same'
  return step > 0 ? 'newer' : 'older'
}
