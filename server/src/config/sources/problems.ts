/** A problem of the configuration. */
export interface Problem {
  /** The key or variable, or the file if the problem concerns the whole file. */
  readonly key: string
  /** The variable or file of the value, unless `key` names it. */
  readonly source?: string
  /** What is wrong and what to do. Never contains a secret. */
  readonly message: string
}

/** The configuration cannot be used. Its message lists every problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    const count = problems.length === 1 ? 'a problem' : `${String(problems.length)} problems`
    super([`the configuration has ${count}:`, ...problems.map(describe)].join('\n  - '))
    this.problems = problems
  }
}

function describe({ key, source, message }: Problem): string {
  return source === undefined ? `${key}: ${message}` : `${key} (${source}): ${message}`
}

/** A message about an unknown name, with the most similar known name. */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? `unknown ${what}: remove it` : `unknown ${what}: did you mean ${nearest}?`
}

/** The known name with the fewest edits, ignoring case; undefined if more than a third of the name would change. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined
  let fewest = Math.floor(name.length / 3) + 1
  for (const candidate of known) {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (edits >= fewest) continue
    nearest = candidate
    fewest = edits
  }
  return nearest
}

/** Levenshtein distance: the number of characters to insert, remove or replace. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1)
      const inserted = (current[column - 1] ?? 0) + 1
      const removed = (previous[column] ?? 0) + 1
      current.push(Math.min(replaced, inserted, removed))
    }
    previous = current
  }
  return previous[to.length] ?? 0
}

/** A value as messages show it, short and on one line. */
export function formatValue(value: unknown): string {
  const bare =
    typeof value === 'number' || typeof value === 'bigint' ? String(value) : JSON.stringify(value, asText)
  return bare.length > 100 ? `${bare.slice(0, 100)}…` : bare
}

/** JSON has no big integers. */
function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
