import { headers as names } from '@svc/contract'
import { expect } from 'vitest'
import { sendRequest } from '../support/clients/send-request.ts'
import { createUserToken } from '../support/clients/accounts.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { call, type ServerWithAccounts } from '../support/servers/server-with-accounts.ts'

/**
 * Prepares requests that would also write: the later expiry of an upload, the last use of a session and of a user token.
 * @returns sends them, and expects that each succeeds
 */
export async function requestsWithOptionalChanges(server: ServerWithAccounts): Promise<() => Promise<void>> {
  const { path, upload } = await storeUpload(server, 'extended', { ttl: 3_600, extend_ttl: true })
  const token = await createUserToken(server, server.admin)
  server.clock.advance(2 * 60_000)
  return async () => {
    const responses = [
      await sendRequest(server.url, path),
      await call(server, 'GET /me', { as: server.admin }),
      await call(server, `GET /upload/${upload.id}`, { headers: { [names.userToken]: token } }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  }
}
