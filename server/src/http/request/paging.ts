import { headers, type Page } from '@svc/contract'
import type { FastifyRequest } from 'fastify'
import { invalidCursor, invalidRequest } from '../../domain/errors.ts'
import type { Cursor, PageOf, PageQuery } from '../../metadata/query/page.ts'

/** Validated paging parameters (docs/protocol.md#lists). */
export interface PageParameters {
  readonly limit: number
  readonly order: 'asc' | 'desc'
  readonly before?: string
  readonly after?: string
  readonly exactTotal?: boolean
}

/**
 * Merges the header `X-Svc-Paging` into the query and overrides it. Null values are ignored.
 * @throws ServiceError `invalid_request`
 */
export function mergePagingHeader(request: FastifyRequest): void {
  const header = request.headers[headers.paging]
  if (header === undefined) return
  const parameters = Object.entries(parseObject(String(header))).filter(([, value]) => value !== null)
  request.query = { ...(request.query as object), ...Object.fromEntries(parameters) }
}

function parseObject(json: string): object {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch (cause) {
    throw invalidRequest('the header X-Svc-Paging is not valid JSON', cause)
  }
  throw invalidRequest('the header X-Svc-Paging must be a JSON object')
}

/**
 * @param sort the sort key of the list: a cursor with another sort key is invalid
 * @throws ServiceError `invalid_cursor`
 */
export function pageQueryOf(
  { limit, order, before, after, exactTotal = false }: PageParameters,
  sort: string,
): PageQuery {
  return {
    limit,
    order,
    exactTotal,
    ...(before !== undefined && { before: parseCursor(before, sort) }),
    ...(after !== undefined && { after: parseCursor(after, sort) }),
  }
}

/** The response with a page of a list, with opaque cursors. */
export const pageResponse = <Row, Item>(
  { before, after, total, totalIsLowerBound }: PageOf<Row>,
  results: readonly Item[],
  sort: string,
): Page<Item> => ({
  before: before === null ? null : formatCursor(before, sort),
  after: after === null ? null : formatCursor(after, sort),
  total,
  ...(totalIsLowerBound && { totalIsLowerBound }),
  results,
})

const formatCursor = ({ value, id, inclusive }: Cursor, sort: string): string =>
  Buffer.from(JSON.stringify([sort, value, id, ...(inclusive === true ? [inclusive] : [])])).toString(
    'base64url',
  )

function parseCursor(cursor: string, sort: string): Cursor {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as readonly unknown[]
    const [cursorSort, value, id, inclusive] = parts
    if (cursorSort === sort && Number.isSafeInteger(value) && typeof id === 'string' && !id.includes('\0'))
      return { value: Number(value), id, ...(inclusive === true && { inclusive }) }
  } catch (cause) {
    throw invalidCursor(cause)
  }
  throw invalidCursor()
}
