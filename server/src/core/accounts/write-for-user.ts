import { invalidSession, ServiceError } from '../../domain/errors.ts'
import type { Service } from '../service.ts'

/**
 * Writes a row that references a user. If the user was deleted since the request was authorized, the database
 * rejects the row.
 * @throws ServiceError `invalid_session` when the user is deleted
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
