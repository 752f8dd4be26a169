import { queryValue } from '../../base/query-value.ts'
import type { RouteLocationNormalized } from 'vue-router'

/**
 * The page of an upload or of one of its files, with what else belongs to the link: the mark of the manifest, and the key.
 * @param of the present address
 */
export function uploadRoute(
  { query, hash }: Pick<RouteLocationNormalized, 'query' | 'hash'>,
  id: string,
  file?: string,
) {
  const manifest = queryValue(query['manifest'])
  return {
    query: { id, ...(file !== undefined && { file }), ...(manifest !== undefined && { manifest }) },
    hash,
  }
}
