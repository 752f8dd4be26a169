/** A setting of a database server that decides whether a commit is on the disk before it is answered. */
export interface DurabilitySetting {
  /** As the server names it, in lower case. */
  readonly name: string
  /** Values with which every commit survives a power cut. */
  readonly safe: readonly string[]
  /** What another value costs; completes "with a power cut, …". */
  readonly cost: string
  /** Another setting and its value without which this one means nothing. */
  readonly onlyWith?: readonly [name: string, value: string]
}

/** @param values by their names in lower case @returns a sentence for each setting that is weaker than what was promised */
export function weakSettings(
  settings: readonly DurabilitySetting[],
  values: ReadonlyMap<string, string>,
): readonly string[] {
  const isMeant = ({ onlyWith }: DurabilitySetting) =>
    onlyWith === undefined || values.get(onlyWith[0])?.toLowerCase() === onlyWith[1]
  return settings.filter(isMeant).flatMap(({ name, safe, cost }) => {
    const value = values.get(name)
    if (value === undefined || safe.includes(value.toLowerCase())) return []
    return [`${name} is ${value}: with a power cut, ${cost}; set it to ${String(safe[0])}`]
  })
}
