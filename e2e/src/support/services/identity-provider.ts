import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface IdentityProvider {
  /** Settings of a server that accepts its users. */
  readonly settings: Readonly<Record<string, string>>
  /** Sets the result of the consent page from now on. */
  readonly respondWith: (reply: 'consent' | 'denial') => void
  readonly stop: () => Promise<void>
}

const json = (value: unknown) => JSON.stringify(value)

/** A provider with a single user, who consents or denies automatically. */
export async function startIdentityProvider(login: string): Promise<IdentityProvider> {
  let reply: 'consent' | 'denial' = 'consent'
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/authorize') {
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      back.searchParams.set(
        reply === 'consent' ? 'code' : 'error',
        reply === 'consent' ? 'c1' : 'access_denied',
      )
      response.writeHead(302, { location: back.href }).end()
      return
    }
    response.setHeader('content-type', 'application/json')
    void text(request).then(() => {
      if (url.pathname === '/token') response.end(json({ access_token: 'a1', token_type: 'bearer' }))
      else if (url.pathname === '/user') response.end(json({ login, name: 'Octavia', email: 'o@x.example' }))
      else if (url.pathname === '/user/emails')
        response.end(json([{ email: 'o@x.example', primary: true, verified: true }]))
      else response.end('[]')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  return {
    settings: {
      IDP2_API_CLIENT_ID: 'client',
      IDP2_API_SECRET: 'secret',
      IDP2_AUTH_URL: `${base}/authorize`,
      IDP2_TOKEN_URL: `${base}/token`,
      IDP2_USER_INFO_URL: `${base}/user`,
    },
    respondWith: (next) => {
      reply = next
    },
    stop: async () => {
      server.closeAllConnections()
      await server[Symbol.asyncDispose]()
    },
  }
}
