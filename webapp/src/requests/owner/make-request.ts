import type { UploadRequest } from '@svc/contract'
import { EncryptionError, fingerprintOf, generateKeyPair } from '@svc/encryption'
import { api } from '../../api/api.ts'
import type { OwnRequest, RequestKey } from '../store/own-request.ts'
import { toNewRequest, type RequestForm } from '../form/request-form.ts'

async function newKey(): Promise<RequestKey> {
  const { identity, recipient } = await generateKeyPair()
  return { identity, recipient, fingerprint: await fingerprintOf(recipient) }
}

/**
 * Creates an upload request; if its files are encrypted, with a new key pair.
 * @throws ApiError
 * @throws EncryptionError if the server names another key than the new one; the request is then removed
 */
export async function makeRequest(
  form: RequestForm,
): Promise<{ readonly request: UploadRequest; readonly own: OwnRequest }> {
  const key = form.encrypt ? await newKey() : undefined
  const request = await api.createUploadRequest(toNewRequest(form, key?.recipient))
  const { id, title, createdAt, requestToken, user: owner } = request
  if (request.recipient !== (key?.recipient ?? '')) {
    await api.removeUploadRequest(id, { requestToken }).catch(() => undefined)
    throw new EncryptionError('bad_recipient', 'the server has changed the key of the request')
  }
  return {
    request,
    own: {
      id,
      title,
      createdAt,
      ...(owner === undefined ? { requestToken } : { owner }),
      ...(key && { key }),
    },
  }
}
