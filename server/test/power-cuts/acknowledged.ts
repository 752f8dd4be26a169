import { createHash } from 'node:crypto'
import { sendRequest } from '../support/clients/send-request.ts'
import { signIn } from '../support/clients/accounts.ts'
import { head, type TusFile } from '../resumable/tus.ts'
import type { TestServer } from '../support/servers/test-server.ts'

export const digestOf = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex')

/**
 * The acknowledged operations of a server, which must hold after a power cut. An operation without a response
 * may have either result, so its subject is forgotten when the request is sent.
 */
export class Acknowledged {
  /** Digests of acknowledged files, by their paths. */
  readonly stored = new Map<string, string>()
  /** Paths of files that must not be served again: downloaded once, or removed. */
  readonly removed = new Set<string>()
  /** Acknowledged bytes of resumable uploads. */
  readonly acknowledged = new Map<string, { readonly file: TusFile; readonly offset: number }>()
  /** User tokens that were created, and those that were revoked. */
  readonly tokens = new Set<string>()
  readonly revoked = new Set<string>()
  /** Passwords by login. */
  readonly passwords = new Map<string, string>()

  /** Whether there is anything yet that a power cut could break. */
  get isEmpty(): boolean {
    return this.stored.size + this.removed.size === 0
  }

  copy(): Acknowledged {
    const copy = new Acknowledged()
    for (const name of ['stored', 'acknowledged', 'passwords'] as const)
      for (const [key, value] of this[name]) (copy[name] as Map<string, unknown>).set(key, value)
    for (const name of ['removed', 'tokens', 'revoked'] as const)
      for (const value of this[name]) copy[name].add(value)
    return copy
  }

  /**
   * Checks a server that was started on the disk after the power cut.
   * @returns the violations, a line each
   */
  async broken(server: TestServer): Promise<string[]> {
    const { url } = server
    const found: string[] = []
    for (const [path, digest] of this.stored) {
      const { status, body } = await sendRequest(url, path)
      if (status !== 200 || digestOf(body) !== digest)
        found.push(`missing or changed (${String(status)}): ${path}`)
    }
    for (const path of this.removed) {
      const { status } = await sendRequest(url, path)
      if (status !== 404 && status !== 409) found.push(`served again (${String(status)}): ${path}`)
    }
    for (const { file, offset } of this.acknowledged.values()) {
      const { status, headers } = await head({ url }, file)
      if (status !== 200 || Number(headers['upload-offset']) < offset)
        found.push(`offset ${String(offset)} is lost (${String(status)}): ${file.path}`)
    }
    const withToken = async (token: string) =>
      (
        await sendRequest(url, '/upload', {
          method: 'POST',
          headers: { 'x-svctoken': token, ...json },
          body: '{}',
        })
      ).status
    for (const token of this.tokens) if ((await withToken(token)) !== 200) found.push('a token is lost')
    for (const token of this.revoked)
      if ((await withToken(token)) !== 403) found.push('a revoked token works')
    for (const [login, password] of this.passwords)
      await signIn(server, { login, password }).catch(() =>
        found.push(`the password of ${login} is an earlier one`),
      )
    return found
  }
}

const json = { 'content-type': 'application/json' }
