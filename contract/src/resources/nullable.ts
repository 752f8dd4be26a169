import * as Type from 'typebox'

/** A text or null, as one schema with two types: a union would make the server try each member at every answer. */
export const nullable = (options: Readonly<Record<string, unknown>> = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...options })
