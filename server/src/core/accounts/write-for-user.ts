import { invalidSession, ServiceError } from '../../domain/errors.ts'
import type { Service } from '../service.ts'

/**
 * Writes what belongs to a user, who may have been deleted since the request was let in: then the database refuses
 * whatever names that user.
 * @throws ServiceError `invalid_session` when the user is gone
 */
export async function writeForUser<Result>(
  { store }: Pick<Service, 'store'>,
  userId: string,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof ServiceError || (await store.users.find(userId)) !== undefined) throw error
    throw invalidSession(error)
  }
}
