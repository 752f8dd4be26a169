import { accountCalls } from './account.ts'
import { adminCalls } from './admin.ts'
import { createConnection, type ClientOptions } from '../http/connection.ts'
import { eventCalls } from './events.ts'
import { createLinks } from './links.ts'
import { loginCalls } from './login.ts'
import { notificationCalls } from './notifications.ts'
import { serviceCalls } from './service.ts'
import { uploadRequestCalls } from './upload-requests.ts'
import { uploadCalls } from './uploads.ts'

/**
 * A client of one server. Every function throws ApiError when the server refuses or cannot be reached, and the
 * signal's reason when its signal is aborted.
 */
export function createClient(options: ClientOptions) {
  const connection = createConnection(options)
  return {
    ...createLinks(connection.base),
    ...serviceCalls(connection),
    ...uploadCalls(connection),
    ...uploadRequestCalls(connection),
    ...loginCalls(connection),
    ...accountCalls(connection),
    ...notificationCalls(connection),
    ...eventCalls(connection),
    ...adminCalls(connection),
  }
}

export type Client = ReturnType<typeof createClient>
