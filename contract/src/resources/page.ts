import * as Type from 'typebox'
import type { TSchema } from 'typebox'
import { limits } from '../limits.ts'
import { nullable } from './nullable.ts'

/** The envelope of every paginated listing (specification §2). */
export const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({
    before: nullable(),
    after: nullable(),
    total: Type.Integer({ minimum: 0 }),
    results: Type.Array(item),
  })

export interface Page<Item> {
  readonly before: string | null
  readonly after: string | null
  readonly total: number
  readonly results: readonly Item[]
}

export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageMax, default: limits.pageDefault })),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'desc' })),
  before: Type.Optional(Type.String()),
  after: Type.Optional(Type.String()),
}

const filter = Type.Optional(Type.Boolean())

export const uploadFilters = {
  sort: Type.Optional(Type.Enum(['createdAt', 'date', 'size'], { default: 'createdAt' })),
  user: Type.Optional(Type.String()),
  token: Type.Optional(Type.String()),
  oneShot: filter,
  removable: filter,
  stream: filter,
  extendTTL: filter,
  password: filter,
  e2ee: filter,
}
