import { randomInt } from 'node:crypto'
import { filePath, type Upload } from '@svc/contract'
import type { Client } from '@svc/sdk'
import {
  createUser,
  createUserToken,
  root,
  signIn,
  userPassword,
  type SignedIn,
} from '../support/clients/accounts.ts'
import { sendRequest, jsonIn } from '../support/clients/send-request.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { patch, newFile } from '../resumable/tus.ts'
import { digestOf, type Acknowledged } from './acknowledged.ts'

interface Server {
  readonly url: string
  readonly client: Client
}

const json = { 'content-type': 'application/json' }

/** Clients that repeat all acknowledged operations until the end. */
export interface Load {
  /** Resolves when no request is in flight; the clients pause. */
  pause(): Promise<void>
  resume(): void
  stop(): Promise<void>
}

export async function startLoad(server: Server, acknowledged: Acknowledged, clients: number): Promise<Load> {
  const admin = await signIn(server, root)
  let gate: PromiseWithResolvers<undefined> | undefined
  let isOver = false
  let running = 0
  const actions = [sendSmall, sendSmall, sendLarge, sendOnce, sendAndRemove, sendInParts]
  const client = async () => {
    while (!isOver) {
      await gate?.promise
      running += 1
      try {
        await actions[randomInt(actions.length)]?.(server, acknowledged)
      } finally {
        running -= 1
      }
    }
  }
  const account = async (number: number) => {
    const login = `user-${String(number)}`
    const user = await createUser(server, admin, { login })
    acknowledged.passwords.set(login, userPassword)
    let session = await signIn(server, { login, password: userPassword })
    let password = userPassword
    while (!isOver) {
      await gate?.promise
      running += 1
      try {
        await useToken(server, acknowledged, session)
        const next = `battery staple ${String(randomInt(1_000_000))}`
        acknowledged.passwords.delete(login)
        const body = JSON.stringify({ password: next, currentPassword: password })
        const { status } = await sendRequest(server.url, '/me', {
          method: 'PATCH',
          headers: { ...json, ...session.headers },
          body,
        })
        if (status !== 200)
          throw new Error(`the password of ${user.id} could not be changed: ${String(status)}`)
        password = next
        acknowledged.passwords.set(login, password)
        session = await signIn(server, { login, password })
      } finally {
        running -= 1
      }
    }
  }
  const all = [...Array.from({ length: clients }, client), account(1), account(2)]
  const step = () => new Promise((resolve) => setImmediate(resolve))
  return {
    async pause() {
      gate = Promise.withResolvers()
      while (running > 0) await step()
    },
    resume() {
      gate?.resolve(undefined)
      gate = undefined
    },
    async stop() {
      isOver = true
      gate?.resolve(undefined)
      await Promise.all(all)
    },
  }
}

async function put({ url }: Server, bytes: Uint8Array, query = '') {
  const { status, text, headers } = await sendRequest(url, `/file.bin${query}`, {
    method: 'PUT',
    body: bytes,
  })
  if (status !== 200) throw new Error(`an upload got the status ${String(status)}: ${text}`)
  return { path: new URL(text.trim()).pathname, uploadToken: String(headers['x-uploadtoken']) }
}

async function sendSmall(server: Server, { stored }: Acknowledged): Promise<void> {
  const bytes = randomBytes(randomInt(1, 2_000))
  const { path } = await put(server, bytes)
  stored.set(path, digestOf(bytes))
}

async function sendLarge(server: Server, { stored }: Acknowledged): Promise<void> {
  const bytes = randomBytes(randomInt(20_000, 90_000))
  const { id, uploadToken = '' }: Upload = await server.client.createUpload()
  const file = await server.client.addFile(id, new Blob([bytes]), { fileName: 'large.bin', uploadToken })
  stored.set(filePath(id, file.id, file.fileName), digestOf(bytes))
}

async function sendOnce(server: Server, { removed }: Acknowledged): Promise<void> {
  const bytes = randomBytes(randomInt(1, 40_000))
  const { path } = await put(server, bytes, '?oneShot=true')
  const response = await sendRequest(server.url, path)
  if (response.status === 200 && response.body.length === bytes.length) removed.add(path)
}

async function sendAndRemove(server: Server, { removed }: Acknowledged): Promise<void> {
  const { path, uploadToken } = await put(server, randomBytes(100))
  const [, , id = ''] = path.split('/')
  const headers = { 'x-uploadtoken': uploadToken }
  const { status } = await sendRequest(server.url, `/upload/${id}`, { method: 'DELETE', headers })
  if (status === 200) removed.add(path)
}

async function sendInParts(server: Server, { acknowledged }: Acknowledged): Promise<void> {
  const bytes = randomBytes(60_000)
  const file = await newFile(server, { size: bytes.length + 1 })
  for (let offset = 0; offset < bytes.length;) {
    const part = bytes.subarray(offset, offset + randomInt(1, 30_000))
    const { status, headers } = await patch(server, file, offset, part)
    if (status !== 204) throw new Error(`a part got the status ${String(status)}`)
    offset = Number(headers['upload-offset'])
    acknowledged.set(file.id, { file, offset })
  }
}

async function useToken(server: Server, { tokens, revoked }: Acknowledged, owner: SignedIn): Promise<void> {
  const token = await createUserToken(server, owner)
  tokens.add(token)
  const used = await sendRequest(server.url, '/upload', {
    method: 'POST',
    headers: { 'x-svctoken': token, ...json },
    body: '{}',
  })
  if (used.status !== 200) throw new Error(`a new token was refused: ${JSON.stringify(jsonIn(used))}`)
  tokens.delete(token)
  const { status } = await sendRequest(server.url, `/me/token/${token}`, {
    method: 'DELETE',
    headers: { ...owner.headers },
  })
  if (status === 200) revoked.add(token)
}
