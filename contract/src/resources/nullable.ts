import * as Type from 'typebox'

/** A text or null, as one schema with two types. With a union the server would try each member for every response. */
export const nullable = (options: Readonly<Record<string, unknown>> = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...options })
