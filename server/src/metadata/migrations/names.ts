/** The present names of migrations by their names before they were numbered without gaps. Their content is the same. */
const presentNames: Readonly<Record<string, string>> = {
  '0011-listing-indexes': '0010-listing-indexes',
  '0012-totals': '0011-totals',
  '0013-hashed-tokens': '0012-hashed-tokens',
  '0014-account-ids': '0013-account-ids',
  '0016-budgets': '0014-budgets',
}

export const presentName = (name: string): string => presentNames[name] ?? name

/**
 * Describes why this program cannot use a database, as the end of a sentence about it.
 * @param unknown migrations of the database that this program does not know
 * @param known migrations of this program
 */
export function describeUnknown(unknown: readonly string[], known: readonly string[]): string {
  const names = unknown.join(', ')
  const last = known.toSorted().at(-1) ?? ''
  return unknown.some((name) => name > last)
    ? `has migrations of a newer svcd (${names}): run that one, not this`
    : `has migrations of an svcd between releases (${names}): with that one, run svcd export; import the result into a new database`
}
