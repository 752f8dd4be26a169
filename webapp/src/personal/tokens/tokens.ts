import { limits, type Page, type UserToken } from '@svc/contract'

/** Expiry date of a new token, in the format of the API; undefined for no expiry. */
export const expiryAfter = (days: number, now: Date): string | undefined =>
  days <= 0 ? undefined : new Date(now.getTime() + days * 86_400_000).toISOString()

type ListTokens = (query: { limit: number; after?: string }) => Promise<Page<UserToken>>

/** The user's token with an id. */
export async function findToken(list: ListTokens, id: string): Promise<UserToken | undefined> {
  let after: string | undefined
  do {
    const page: Page<UserToken> = await list({ limit: limits.pageMax, ...(after !== undefined && { after }) })
    const found = page.results.find((token) => token.id === id)
    if (found) return found
    after = page.after ?? undefined
  } while (after !== undefined)
  return undefined
}
