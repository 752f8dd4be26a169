/** Result codes of SQLite: `SQLITE_CORRUPT` and `SQLITE_NOTADB`. */
const damageCodes: readonly number[] = [11, 26]

/** What to do about a damaged database. */
export const damageAdvice = 'the database is damaged: restore its backup'

/** Whether SQLite reports with an error that the file of the database is damaged, or no database. Causes are not examined. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  // The last byte of an extended code is the primary one.
  damageCodes.includes(error.errcode & 0xff)
