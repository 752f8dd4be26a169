import * as Type from 'typebox'
import type { TSchema } from 'typebox'
import { limits } from '../base/limits.ts'
import { nullable } from './nullable.ts'

/** The response with a page of a list (docs/protocol.md#page-of-a-list). */
export const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({
    before: nullable(),
    after: nullable(),
    total: Type.Integer({ minimum: 0 }),
    totalIsLowerBound: Type.Optional(Type.Literal(true)),
    results: Type.Array(item),
  })

export interface Page<Item> {
  readonly before: string | null
  readonly after: string | null
  /** Items of the whole list, or a lower bound (`totalIsLowerBound`). */
  readonly total: number
  /** The list has more items than `total`. The query `exactTotal=true` counts them all. */
  readonly totalIsLowerBound?: true
  readonly results: readonly Item[]
}

export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageMax, default: limits.pageDefault })),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'desc' })),
  before: Type.Optional(Type.String()),
  after: Type.Optional(Type.String()),
  /** Counts all items for `total`, which is slow in a list of millions. */
  exactTotal: Type.Optional(Type.Boolean()),
}

const filter = Type.Optional(Type.Boolean())

export const uploadFilters = {
  sort: Type.Optional(Type.Enum(['createdAt', 'date', 'size'], { default: 'createdAt' })),
  user: Type.Optional(Type.String()),
  token: Type.Optional(Type.String({ description: 'Id of a user token, or the token.' })),
  oneShot: filter,
  removable: filter,
  stream: filter,
  extendTTL: filter,
  password: filter,
  e2ee: filter,
}
