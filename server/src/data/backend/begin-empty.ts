import type { ResumePoint } from './backend.ts'
import { checkKey } from './key.ts'

/**
 * Begins a resumable file in a backend that stores nothing before the first byte.
 * @returns offset 0 and no session
 * @throws InvalidKeyError as a rejection
 */
export const beginEmpty = (key: string): Promise<ResumePoint> =>
  Promise.resolve(key).then((checked) => {
    checkKey(checked)
    return { offset: 0, session: '' }
  })
