import type { DataBackend, ResumableWrites } from '../../data/backend/backend.ts'

/** What writes in pieces. @throws when the data store cannot */
export function resumableWrites({ resumable }: DataBackend): ResumableWrites {
  if (resumable === undefined) throw new Error('the data store cannot write a file in pieces')
  return resumable
}
