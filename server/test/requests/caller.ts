import { createClient, type Client } from '@svc/sdk'
import type { NewUploadRequest, UploadRequest } from '@svc/contract'
import { createUserToken } from '../support/clients/accounts.ts'
import { newMember, type Member, type ServerWithAccounts } from '../support/servers/server-with-accounts.ts'
import type { TestServer } from '../support/servers/test-server.ts'

/** A user with a client that acts for the user. */
export async function newOwner(
  server: ServerWithAccounts,
  fields: Parameters<typeof newMember>[1] = {},
): Promise<{ readonly member: Member; readonly client: Client }> {
  const member = await newMember(server, fields)
  const userToken = await createUserToken(server, member.session)
  return { member, client: createClient({ baseURL: server.url, userToken }) }
}

/** A new request of a guest, with the access of its token. */
export async function newRequest(
  { client }: Pick<TestServer, 'client'>,
  options: Partial<NewUploadRequest> = {},
): Promise<{
  readonly request: UploadRequest
  readonly id: string
  readonly access: { readonly requestToken: string }
}> {
  const request = await client.createUploadRequest({ title: 'Photos', ...options })
  return { request, id: request.id, access: { requestToken: request.requestToken ?? '' } }
}

/** Sends a file to a request, as an upload with this file only. */
export async function sendOne(
  client: Client,
  requestID: string,
  content = 'content',
  { fileName = 'a.txt', sender }: { readonly fileName?: string; readonly sender?: string } = {},
) {
  const upload = await client.sendToUploadRequest(requestID, { ...(sender !== undefined && { sender }) })
  const uploadToken = upload.uploadToken ?? ''
  const file = await client.addFile(upload.id, new Blob([content]), { fileName, uploadToken })
  return { upload, uploadToken, file }
}

/** The error code of a call that fails. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
  } catch (error) {
    return (error as { readonly code?: string }).code ?? String(error)
  }
  return 'no error'
}
