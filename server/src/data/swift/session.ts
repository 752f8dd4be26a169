import { withoutSlash } from '@svc/contract'
import type { Clock } from '../../domain/clock.ts'
import { StoreUnavailableError } from '../backend/backend.ts'
import type { SwiftAccess, SwiftCredentials } from './access.ts'
import { signInWithKeystone } from './keystone.ts'
import type { StoreClient } from '../network/client.ts'
import { readSignIn } from './sign-in-response.ts'

export interface SwiftSession {
  /**
   * The token, which is renewed shortly before it expires.
   * @throws StoreUnavailableError
   */
  readonly access: () => Promise<SwiftAccess>
  /** Discards a token that Swift rejected before it expired. */
  readonly invalidate: (access: SwiftAccess) => void
}

/** The share of its lifetime that is left when a token is renewed. */
const margin = 0.1

export function swiftSession(client: StoreClient, credentials: SwiftCredentials, clock: Clock): SwiftSession {
  let current: { readonly access: SwiftAccess; readonly goodUntil: number } | undefined
  let pending: Promise<SwiftAccess> | undefined

  const signIn = async () => {
    const startedAt = clock.now()
    try {
      const access = await (credentials.authVersion === '1'
        ? signInWithSwift(client, credentials)
        : signInWithKeystone(client, credentials))
      current = { access, goodUntil: startedAt + (access.lifetime ?? Infinity) * (1 - margin) }
      return access
    } finally {
      pending = undefined
    }
  }
  return {
    access() {
      if (current !== undefined && clock.now() < current.goodUntil) return Promise.resolve(current.access)
      // Concurrent requests share one sign-in.
      pending ??= signIn()
      return pending
    },
    invalidate(access) {
      if (current?.access === access) current = undefined
    },
  }
}

/** Version 1: the request has a name and a key in its headers, and the response a token and a URL. */
async function signInWithSwift(
  client: StoreClient,
  { authURL, userName, apiKey }: SwiftCredentials,
): Promise<SwiftAccess> {
  const headers = { 'x-auth-user': userName, 'x-auth-key': apiKey }
  const response = await client({ method: 'GET', url: authURL, headers })
  await readSignIn('signing in to Swift', response, {
    denied: 'check UserName and ApiKey of DataBackendConfig',
    notFound: 'is DataBackendConfig.AuthURL right?',
  })
  const {
    'x-auth-token': token,
    'x-storage-url': storageURL,
    'x-auth-token-expires': seconds,
  } = response.headers
  if (typeof token !== 'string' || typeof storageURL !== 'string')
    throw new StoreUnavailableError('signing in to Swift gave no token: is AuthURL right?')
  return {
    token,
    storageURL: withoutSlash(storageURL),
    ...(seconds !== undefined && { lifetime: Number(seconds) * 1000 }),
  }
}
