import { limits, providers, type Page, type Provider, type User } from '@svc/contract'
import type { LocationQuery, LocationQueryRaw } from 'vue-router'
import { queryValue } from '../../base/query-value.ts'
import { omit } from '../../base/omit.ts'

/** The view of the list of users, as in its address. */
export interface UserView {
  /** Search text for login, name and email address. Texts below two letters find all users. */
  readonly search: string
  readonly provider?: Provider
  /** Admins only. */
  readonly admin?: true
  readonly before?: string
  readonly after?: string
}

const pageSize = 20
/** Maximum number of results of a search. */
export const searchLimit = 50
const searchMinimum = 2

export const isSearch = ({ search }: UserView) => Array.from(search).length >= searchMinimum

/** Reads an address, without its invalid values: users can edit addresses. */
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

/** The first page of a view, because a changed filter has other pages. */
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

/** A page of users; the results of a search are one page. */
export async function loadUsers(source: UserSource, view: UserView): Promise<Page<User>> {
  const { search, before, after, ...filter } = view
  if (!isSearch(view))
    return source.users({ limit: pageSize, ...filter, ...(before && { before }), ...(after && { after }) })
  const results = await source.searchUsers({ q: search, limit: searchLimit, ...filter })
  return { before: null, after: null, total: results.length, results }
}
