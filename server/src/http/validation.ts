import { Ajv } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'

/** A query is text: its numbers and booleans are read from it. A JSON body says itself what it is. */
const forQuery = new Ajv({ coerceTypes: true, useDefaults: true, strict: false })
/** What a body carries beside its schema never reaches a handler, which may hand on all that it is given. */
const forBody = new Ajv({ removeAdditional: 'all', strict: false })

/** Compiles a schema of the contract for one part of a request. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? forBody : forQuery).compile(schema)
