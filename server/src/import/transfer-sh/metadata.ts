import type { Row } from '../rows.ts'

/** What transfer.sh stores of a file. */
export interface TransferMetadata {
  /** Bytes of the file that was sent; null when it is not stored. */
  readonly size: number | null
  /** Null without a limit. */
  readonly remainingDownloads: number | null
  /** Milliseconds since the epoch; null without an end. */
  readonly expireAt: number | null
  /** Deletes the file; empty without one. */
  readonly deletionToken: string
  readonly isEncrypted: boolean
  readonly isCompressed: boolean
}

/** Versions before 1.2 wrote this for a file without a limit. */
const withoutLimit = 99_999_999

/**
 * Reads the metadata of a file.
 * @param content the file `NAME.metadata`
 * @returns null when it is damaged
 */
export function parseMetadata(content: string): TransferMetadata | null {
  let row: Row
  try {
    const value: unknown = JSON.parse(content)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    row = value as Row
  } catch {
    return null
  }
  const { MaxDownloads: most, Downloads: done = 0, MaxDate: end, DeletionToken: token } = row
  if (typeof most !== 'number' || typeof done !== 'number' || typeof end !== 'string') return null
  const expireAt = Date.parse(end)
  if (Number.isNaN(expireAt) || !Number.isSafeInteger(most) || !Number.isSafeInteger(done)) return null
  const size = row['ContentLength']
  return {
    size: typeof size === 'number' && Number.isSafeInteger(size) && size > 0 ? size : null,
    remainingDownloads: most < 0 || most >= withoutLimit ? null : Math.max(0, most - done),
    // Go's zero time is in the year 1.
    expireAt: expireAt < 0 ? null : expireAt,
    deletionToken: typeof token === 'string' ? token : '',
    isEncrypted: row['Encrypted'] === true,
    isCompressed: row['Compressed'] === true,
  }
}
