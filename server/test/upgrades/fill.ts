import { createClient } from '@svc/sdk'
import {
  createUser,
  createUserToken,
  root,
  signIn,
  userPassword,
  type SignedIn,
} from '../support/clients/accounts.ts'
import { jsonIn, sendRequest } from '../support/clients/send-request.ts'

/** What a kept database has, by the ids and secrets with which a test asks for it. */
export interface Kept {
  /** When it was filled, in ms since 1970. */
  readonly filledAt: number
  readonly login: string
  readonly userToken: string
  readonly plain: KeptUpload
  /** With the login and the password of `protection`. */
  readonly protected: KeptUpload
  readonly oneShot: KeptUpload
  /** Of the user, with an alias, and with downloads in its activity. */
  readonly owned: KeptUpload
  readonly alias: string
  readonly request: { readonly id: string; readonly requestToken: string }
  readonly received: KeptUpload
  readonly webhook: string
}

export interface KeptUpload {
  readonly id: string
  readonly uploadToken: string
  readonly fileID: string
}

export const protection = { login: 'ada', password: 'open sesame' }
export const contentOf = (name: string): string => `the content of ${name}\n`
export const fileName = 'notes ä.txt'

/** Webhooks are settings of an account, which a user token cannot change. */
async function newWebhook(url: string, { headers }: SignedIn): Promise<string> {
  const created = await sendRequest(url, '/me/webhooks', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ url: 'http://127.0.0.1:9000/svc', events: ['request.received'] }),
  })
  if (created.status !== 200) throw new Error(`no webhook was created: ${created.text}`)
  return (jsonIn(created) as { readonly id: string }).id
}

/** Fills a new server with one of each thing that it stores, over its API. */
export async function fill(url: string): Promise<Kept> {
  const guest = createClient({ baseURL: url })
  const admin = await signIn({ url }, root)
  const login = 'grace'
  await createUser({ url }, admin, { login, name: 'Grace', email: 'grace@example.org' })
  const session = await signIn({ url }, { login, password: userPassword })
  const userToken = await createUserToken({ url }, session, { comment: 'kept' })
  const user = createClient({ baseURL: url, userToken })

  const addFile = async (upload: { readonly id: string; readonly uploadToken?: string }, name: string) => {
    const { id, uploadToken = '' } = upload
    const { id: fileID } = await guest.addFile(id, new Blob([contentOf(name)]), { fileName, uploadToken })
    return { id, uploadToken, fileID }
  }
  const forever = { ttl: -1 }
  const plain = await addFile(await guest.createUpload({ ...forever, comments: 'kept' }), 'plain')
  const sealed = await addFile(await guest.createUpload({ ...forever, ...protection }), 'protected')
  const oneShot = await addFile(await guest.createUpload({ ...forever, oneShot: true }), 'oneShot')
  const alias = 'holiday-2026'
  const owned = await addFile(await user.createUpload({ ...forever, alias }), 'owned')
  await (await guest.download({ id: owned.id }, { id: owned.fileID, fileName })).text()

  const { id, requestToken = '' } = await user.createUploadRequest({ title: 'Photos', uploadTTL: -1 })
  const received = await addFile(await guest.sendToUploadRequest(id, { sender: 'Alan' }), 'received')
  const webhook = await newWebhook(url, session)
  return {
    ...{ filledAt: Date.now(), login, userToken, plain, protected: sealed, oneShot, owned, alias },
    ...{ request: { id, requestToken }, received, webhook },
  }
}
