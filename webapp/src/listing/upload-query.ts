import type { LocationQuery, LocationQueryRaw } from 'vue-router'
import { queryValue } from '../base/query-value.ts'
import { omit } from '../base/omit.ts'

/** Options of an upload that a list can be narrowed to (docs/protocol.md#lists). */
export const uploadFilters = ['oneShot', 'password', 'e2ee', 'stream', 'removable', 'extendTTL'] as const
export type UploadFilter = (typeof uploadFilters)[number]

/** Sort orders of a list. */
export const uploadOrders = {
  newest: { sort: 'date', order: 'desc' },
  oldest: { sort: 'date', order: 'asc' },
  largest: { sort: 'size', order: 'desc' },
  smallest: { sort: 'size', order: 'asc' },
} as const
export type UploadOrder = keyof typeof uploadOrders

/** The view of a list, as in its address. */
export interface UploadView {
  readonly order: UploadOrder
  readonly filters: readonly UploadFilter[]
  /** Id of the owner; admins only. */
  readonly user?: string
  /** Last characters of the user token of the uploads, because an address must not contain the token. */
  readonly tokenEnd?: string
  readonly before?: string
  readonly after?: string
}

/** Number of uploads on a page. */
const pageSize = 20

const definedField = <Key extends string>(key: Key, value: string | undefined) =>
  (value === undefined || value === '' ? {} : { [key]: value }) as { readonly [Name in Key]?: string }

/** Reads an address, without its invalid values: users can edit addresses. */
export function readUploadView(query: LocationQuery): UploadView {
  const order = queryValue(query['sort'])
  return {
    order: order !== undefined && Object.hasOwn(uploadOrders, order) ? (order as UploadOrder) : 'newest',
    filters: uploadFilters.filter((name) => queryValue(query[name]) === 'true'),
    ...definedField('user', queryValue(query['user'])),
    ...definedField('tokenEnd', queryValue(query['token'])),
    ...definedField('before', queryValue(query['before'])),
    ...definedField('after', queryValue(query['after'])),
  }
}

/** The query of the address of a view. */
export const uploadRouteQuery = ({
  order,
  filters,
  user,
  tokenEnd,
  before,
  after,
}: UploadView): LocationQueryRaw => ({
  ...(order !== 'newest' && { sort: order }),
  ...Object.fromEntries(filters.map((name) => [name, 'true'])),
  ...definedField('user', user),
  ...definedField('token', tokenEnd),
  ...definedField('before', before),
  ...definedField('after', after),
})

/**
 * The query of a view.
 * @param token the whole user token, if the view is about one
 */
export const uploadListQuery = ({ order, filters, ...rest }: UploadView, token?: string) => ({
  limit: pageSize,
  ...uploadOrders[order],
  ...(Object.fromEntries(filters.map((name) => [name, true])) as Partial<Record<UploadFilter, true>>),
  ...omit(rest, 'tokenEnd'),
  ...definedField('token', token),
})
export type UploadListQuery = ReturnType<typeof uploadListQuery>

/** The first page of a view, because another order or filter has other pages. */
export const firstPage = (view: UploadView): UploadView => omit(view, 'before', 'after')

/** The first page of a view with a filter on or off. */
export function withFilter(view: UploadView, name: UploadFilter, on: boolean): UploadView {
  const filters = uploadFilters.filter((filter) => (filter === name ? on : view.filters.includes(filter)))
  return { ...firstPage(view), filters }
}
