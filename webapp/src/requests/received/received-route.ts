import type { RouteLocationNormalized } from 'vue-router'

/** The page of a request, or of one of the files that it has received. */
export const receivedRoute = (
  { path, query }: Pick<RouteLocationNormalized, 'path' | 'query'>,
  file?: string,
) => ({ path, query: { id: query['id'], ...(file !== undefined && { file }) } })
