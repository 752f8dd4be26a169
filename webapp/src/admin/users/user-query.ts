import { limits, providers, type Page, type Provider, type User } from '@svc/contract'
import type { LocationQuery, LocationQueryRaw } from 'vue-router'
import { queryValue } from '../../base/query-value.ts'
import { omit } from '../../base/omit.ts'

/** What the list of users shows, as its address says it. */
export interface UserView {
  /** Looked for in login, name and e-mail address; shorter than two letters it finds everybody. */
  readonly search: string
  readonly provider?: Provider
  /** Admins only. */
  readonly admin?: true
  readonly before?: string
  readonly after?: string
}

const pageSize = 20
/** Maximum number of results: more letters narrow the search. */
export const searchLimit = 50
const searchMinimum = 2

export const isSearch = ({ search }: UserView) => Array.from(search).length >= searchMinimum

/** Reads an address; what makes no sense in it is left out, since anybody may have written it. */
export function readUserView(query: LocationQuery): UserView {
  const provider = providers.find((name) => name === queryValue(query['provider']))
  const before = queryValue(query['before'])
  const after = queryValue(query['after'])
  return {
    search: (queryValue(query['q']) ?? '').slice(0, limits.profileTextLength),
    ...(provider && { provider }),
    ...(queryValue(query['admin']) === 'true' && { admin: true }),
    ...(before && { before }),
    ...(after && { after }),
  }
}

/** The query of the address of a view. */
export const userRouteQuery = ({ search, provider, admin, before, after }: UserView): LocationQueryRaw => ({
  ...(search !== '' && { q: search }),
  ...(provider && { provider }),
  ...(admin && { admin: 'true' }),
  ...(before && { before }),
  ...(after && { after }),
})

/** The beginning of a view: what is narrowed otherwise has other pages. */
export const firstPage = (view: UserView): UserView => omit(view, 'before', 'after')

interface UserSource {
  readonly users: (query: {
    limit: number
    provider?: Provider
    admin?: boolean
    before?: string
    after?: string
  }) => Promise<Page<User>>
  readonly searchUsers: (query: {
    q: string
    limit: number
    provider?: Provider
    admin?: boolean
  }) => Promise<User[]>
}

/** A page of users; what is found by a search is one page. */
export async function loadUsers(source: UserSource, view: UserView): Promise<Page<User>> {
  const { search, before, after, ...filter } = view
  if (!isSearch(view))
    return source.users({ limit: pageSize, ...filter, ...(before && { before }), ...(after && { after }) })
  const results = await source.searchUsers({ q: search, limit: searchLimit, ...filter })
  return { before: null, after: null, total: results.length, results }
}
