import type { FileRecord } from '../records.ts'

/** The media type in the row of a partial upload. No stored file has it. */
export const partialType = 'application/vnd.svc.partial'

/**
 * Whether a file is a partial upload (tus, Concatenation): it is never complete by itself, and a final upload takes its
 * bytes over.
 */
export const isPartial = ({ type, uploadedAt }: Pick<FileRecord, 'type' | 'uploadedAt'>): boolean =>
  type === partialType && uploadedAt === null
