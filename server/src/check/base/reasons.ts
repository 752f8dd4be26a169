const maxCauses = 4

/** The messages of an error and of its causes. */
export function reasonsOf(error: unknown): string {
  const reasons: string[] = []
  for (let next = error; next instanceof Error && reasons.length < maxCauses; next = next.cause) {
    // An AggregateError of several addresses has no message.
    const [first] = next instanceof AggregateError ? (next.errors as readonly unknown[]) : []
    const reason = next.message === '' && first instanceof Error ? first.message : next.message
    if (reason !== '' && !reasons.includes(reason)) reasons.push(reason)
  }
  return reasons.length === 0 ? String(error) : reasons.join(': ')
}
