import type { Clock } from '../../domain/clock.ts'
import { StoreUnavailableError } from '../backend/backend.ts'
import type { SwiftAccess, SwiftCredentials } from './access.ts'
import { signInWithKeystone } from './keystone.ts'
import { readText, type StoreClient } from '../network/client.ts'
import { expectStatus } from '../network/store-error.ts'

export interface SwiftSession {
  /** What lets us in, got anew shortly before it ends. @throws StoreUnavailableError */
  readonly access: () => Promise<SwiftAccess>
  /** A token was refused before its time: the next access is a new one. */
  readonly refused: (access: SwiftAccess) => void
}

/** A token is renewed when so much of its life is left. */
const margin = 0.1

export function swiftSession(client: StoreClient, credentials: SwiftCredentials, clock: Clock): SwiftSession {
  let current: { readonly access: SwiftAccess; readonly goodUntil: number } | undefined
  let pending: Promise<SwiftAccess> | undefined

  const signIn = async () => {
    const begun = clock.now()
    try {
      const access = await (credentials.authVersion === '1'
        ? signInWithSwift(client, credentials)
        : signInWithKeystone(client, credentials))
      current = { access, goodUntil: begun + (access.lifetime ?? Infinity) * (1 - margin) }
      return access
    } finally {
      pending = undefined
    }
  }
  return {
    access() {
      if (current !== undefined && clock.now() < current.goodUntil) return Promise.resolve(current.access)
      // Many requests may find out at the same time.
      pending ??= signIn()
      return pending
    },
    refused(access) {
      if (current?.access === access) current = undefined
    },
  }
}

/** Version 1: a name and a key in headers, and everything else in headers of the answer. */
async function signInWithSwift(
  client: StoreClient,
  { authURL, userName, apiKey }: SwiftCredentials,
): Promise<SwiftAccess> {
  const headers = { 'x-auth-user': userName, 'x-auth-key': apiKey }
  const answer = await client({ method: 'GET', url: authURL, headers })
  await expectStatus('signing in to Swift', answer, 200, 204)
  await readText(answer)
  const {
    'x-auth-token': token,
    'x-storage-url': storageURL,
    'x-auth-token-expires': seconds,
  } = answer.headers
  if (typeof token !== 'string' || typeof storageURL !== 'string')
    throw new StoreUnavailableError('signing in to Swift gave no token: is AuthURL right?')
  return {
    token,
    storageURL: withoutSlash(storageURL),
    ...(seconds !== undefined && { lifetime: Number(seconds) * 1000 }),
  }
}

const withoutSlash = (url: string) => url.replace(/\/+$/, '')
