import type { Upload, UploadOptions } from '@svc/contract'
import { ask, jsonIn } from '../support/ask.ts'
import { fileForm, formType } from '../support/forms.ts'
import type { TestServer } from '../support/test-server.ts'
import type { TestUser } from './users.ts'

export const uploadLogin = 'canary-upload-login'
export const uploadPassword = 'canary-upload-password'

/** The address of the sender of all uploads: only the server may know it. */
export const uploaderAddress = '203.0.113.77'

/** A kind of upload, without its owner. */
export const kinds = {
  plain: {},
  'one-shot': { oneShot: true },
  removable: { removable: true },
  protected: { login: uploadLogin, password: uploadPassword },
  'protected and removable': { login: uploadLogin, password: uploadPassword, removable: true },
} satisfies Readonly<Record<string, UploadOptions>>

export type Kind = keyof typeof kinds

/** An upload with one stored and one declared file. */
export interface StagedUpload {
  readonly id: string
  readonly token: string
  readonly stored: string
  readonly declared: string
}

export const storedName = 'file.txt'
export const declaredName = 'declared'

/** @param owner null for an anonymous upload */
export async function stageUpload(
  { url }: TestServer,
  kind: Kind,
  owner: TestUser | null,
): Promise<StagedUpload> {
  const sender = {
    'x-forwarded-for': uploaderAddress,
    ...(owner !== null && { 'x-svctoken': owner.token }),
  }
  const created = await ask(url, '/upload', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...sender },
    body: JSON.stringify({ ...kinds[kind], files: [{ fileName: declaredName }] }),
  })
  const { id, uploadToken: token = '', files } = jsonIn(created) as Upload
  const added = await ask(url, `/file/${id}`, {
    method: 'POST',
    headers: { 'content-type': formType, 'x-uploadtoken': token, ...sender },
    body: fileForm('content', storedName),
  })
  const { id: stored } = jsonIn(added) as { readonly id: string }
  return { id, token, stored, declared: files[0]?.id ?? '' }
}
