/** A setting of a database server that determines whether a commit is on the disk before it returns. */
export interface DurabilitySetting {
  /** The name that the server uses, in lower case. */
  readonly name: string
  /** Values with which every commit survives a power cut. */
  readonly safe: readonly string[]
  /** The effect of another value; completes "with a power cut, …". */
  readonly cost: string
  /** The setting applies only while this other setting has this value. */
  readonly onlyWith?: readonly [name: string, value: string]
}

/**
 * @param values by their names in lower case
 * @returns a sentence for each setting with which commits are not durable
 */
export function weakSettings(
  settings: readonly DurabilitySetting[],
  values: ReadonlyMap<string, string>,
): readonly string[] {
  const applies = ({ onlyWith }: DurabilitySetting) =>
    onlyWith === undefined || values.get(onlyWith[0])?.toLowerCase() === onlyWith[1]
  return settings.filter(applies).flatMap(({ name, safe, cost }) => {
    const value = values.get(name)
    if (value === undefined || safe.includes(value.toLowerCase())) return []
    return [`${name} is ${value}: with a power cut, ${cost}; set it to ${String(safe[0])}`]
  })
}
