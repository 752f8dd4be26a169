import { Ajv } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'

/** Our own schemas are right, and validators of a few lines need no optimizing: that saves 6 MB which would stay. */
const small = { validateSchema: false, code: { optimize: false } } as const

/** A query is text: its numbers and booleans are read from it. A JSON body says itself what it is. */
const forQuery = new Ajv({ ...small, coerceTypes: true, useDefaults: true, strict: false })
forQuery.addFormat('date', isDay)
/** What a body carries beside its schema never reaches a handler, which may hand on all that it is given. */
const forBody = new Ajv({ ...small, removeAdditional: 'all', strict: false })

/** Compiles a schema of the contract for one part of a request. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? forBody : forQuery).compile(schema)

/** A day as RFC 3339 writes it, which there is in the calendar, since the epoch. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : NaN
  return time >= 0 && new Date(time).toISOString().startsWith(text)
}
