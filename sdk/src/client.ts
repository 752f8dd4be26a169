import type { Configuration, ShareX, Version } from '@svc/contract'
import { accountCalls } from './account.ts'
import { adminCalls } from './admin.ts'
import { createConnection, type ClientOptions } from './connection.ts'
import { createLinks } from './links.ts'
import { loginCalls } from './login.ts'
import { uploadCalls } from './uploads.ts'

/**
 * A client of one server. Every function throws ApiError when the server refuses or cannot be reached, and the
 * signal's reason when its signal is aborted.
 */
export function createClient(options: ClientOptions) {
  const connection = createConnection(options)
  return {
    ...createLinks(connection.base),

    health: async () => (await connection.call('/health')).text,
    /** @throws ApiError `not_ready` */
    ready: async () => (await connection.call('/ready')).text,
    configuration: () => connection.json<Configuration>('/config'),
    version: () => connection.json<Version>('/version'),
    /** What makes ShareX send to this server. @throws ApiError `not_found` */
    shareX: () => connection.json<ShareX>('/clients/sharex.sxcu'),

    ...uploadCalls(connection),
    ...loginCalls(connection),
    ...accountCalls(connection),
    ...adminCalls(connection),
  }
}

export type Client = ReturnType<typeof createClient>
