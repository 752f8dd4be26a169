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
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart !== 'body') return forQuery.compile(schema)
  const validate = forBody.compile(schema)
  const clean = nullsRemover(schema)
  if (clean === undefined) return validate
  const cleanAndValidate = (body: unknown): boolean => {
    clean(body)
    const valid = validate(body)
    cleanAndValidate.errors = validate.errors ?? null
    return valid
  }
  // Where the framework looks for what is wrong.
  cleanAndValidate.errors = validate.errors ?? null
  return cleanAndValidate
}

/** What a body of the contract is described with. */
interface BodySchema {
  readonly type?: string | readonly string[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, BodySchema>>
  readonly items?: BodySchema
}

type Remover = (value: unknown) => void

/**
 * Removes each null that stands for an optional field, in place: some clients write null for what they leave out (Go's lists and
 * pointers). It looks no deeper than the schema does.
 * @returns undefined where a schema has no optional field
 */
function nullsRemover({ properties = {}, required = [], items }: BodySchema): Remover | undefined {
  const ofItems = items === undefined ? undefined : nullsRemover(items)
  if (ofItems !== undefined)
    return (value) => {
      if (Array.isArray(value)) for (const item of value) ofItems(item)
    }
  const optional = Object.keys(properties).filter(
    (name) => !required.includes(name) && properties[name]?.type?.includes('null') !== true,
  )
  const inner = Object.entries(properties).flatMap(([name, schema]): [string, Remover][] => {
    const remover = nullsRemover(schema)
    return remover === undefined ? [] : [[name, remover]]
  })
  if (optional.length === 0 && inner.length === 0) return undefined
  return (value) => {
    if (typeof value !== 'object' || value === null) return
    const fields = value as Record<string, unknown>
    for (const name of optional) if (fields[name] === null) Reflect.deleteProperty(fields, name)
    for (const [name, remove] of inner) remove(fields[name])
  }
}

/** A day as RFC 3339 writes it, which there is in the calendar, since the epoch. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : NaN
  return time >= 0 && new Date(time).toISOString().startsWith(text)
}
