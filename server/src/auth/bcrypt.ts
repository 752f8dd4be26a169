import { startThread } from '../platform/start-thread.ts'

/** Passed to the thread, which responds with a boolean. */
export interface BcryptWork {
  readonly password: string
  readonly hash: string
}

/** The thread has stopped before it had a result. */
class BcryptThreadError extends Error {
  override readonly name = 'BcryptThreadError'
}

/**
 * Verifies a password with bcrypt. A hash of Plik takes more than a second, so each has a thread, which ends with it: users
 * need it for one login each.
 */
export function verifyBcrypt(work: BcryptWork): Promise<boolean> {
  const result = Promise.withResolvers<boolean>()
  const { worker, markBusy } = startThread({
    program: 'bcrypt-worker',
    neighbour: import.meta.url,
    name: 'bcrypt',
    workerData: work,
    onEnd: (cause) => {
      result.reject(new BcryptThreadError('the thread that verifies a password has stopped', { cause }))
    },
  })
  worker.once('message', (isCorrect: boolean) => {
    result.resolve(isCorrect)
  })
  markBusy()
  return result.promise
}
