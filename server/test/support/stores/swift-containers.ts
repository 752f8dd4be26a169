import { randomInt } from 'node:crypto'
import type { SwiftLogin } from '../../../../scripts/test-servers/stores/object-store.ts'
import type { SwiftBackendOptions } from '../../../src/data/swift/open.ts'
import { mebibyte } from '../../../src/domain/sizes.ts'

/** A container that does not exist yet, accessed directly. */
export interface TestContainer {
  readonly options: (more?: Partial<SwiftBackendOptions>) => SwiftBackendOptions
  /** Names of all objects, including segments. */
  readonly objects: () => Promise<readonly string[]>
  /** Removes the container with all of its objects. */
  readonly drop: () => Promise<void>
  /** Removes one object. */
  readonly remove: (name: string) => Promise<void>
}

/** @param server with authentication of version 1 */
export function newContainer({ authURL, user, key }: SwiftLogin): TestContainer {
  const container = `container-${String(randomInt(2 ** 47))}`
  const logIn = async () => {
    const login = await fetch(authURL, { headers: { 'x-auth-user': user, 'x-auth-key': key } })
    return { account: login.headers.get('x-storage-url'), token: login.headers.get('x-auth-token') }
  }
  return {
    options: (more) => ({
      ...{ authURL, authVersion: '1', userName: user, apiKey: key, domain: '', project: '', region: '' },
      ...{ container, segmentSize: 32 * mebibyte },
      ...more,
    }),
    async objects() {
      const { account, token } = await logIn()
      return listObjects(account, token, container)
    },
    async drop() {
      const { account, token } = await logIn()
      const names = (await listObjects(account, token, container)).map((name) => `/${name}`)
      for (const name of [...names, '']) await removeAt(`${String(account)}/${container}${name}`, token)
    },
    async remove(name) {
      const { account, token } = await logIn()
      await removeAt(`${String(account)}/${container}/${name}`, token)
    },
  }
}

async function removeAt(address: string, token: string | null): Promise<void> {
  const headers = { 'x-auth-token': String(token) }
  const { ok, status } = await fetch(address, { method: 'DELETE', headers })
  if (!ok) throw new Error(`${address} cannot be removed: ${String(status)}`)
}

export async function listObjects(
  account: string | null,
  token: string | null,
  container: string,
): Promise<readonly string[]> {
  const listing = await fetch(`${String(account)}/${container}`, {
    headers: { 'x-auth-token': String(token) },
  })
  if (!listing.ok) throw new Error(`the container cannot be listed: ${String(listing.status)}`)
  return (await listing.text()).split('\n').filter((name) => name !== '')
}
