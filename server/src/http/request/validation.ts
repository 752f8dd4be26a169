import { Ajv, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'

/** The schemas are valid, and small validators need no optimization: this saves 6 MB of memory. */
const compilerOptions = { validateSchema: false, code: { optimize: false } } as const

/** A query is text, so numbers and booleans are coerced. A JSON body has types. */
const queryCompiler = new Ajv({ ...compilerOptions, coerceTypes: true, useDefaults: true, strict: false })
queryCompiler.addFormat('date', isDay)
/** Fields outside the schema are removed, since a handler may pass on the whole body. */
const bodyCompiler = new Ajv({ ...compilerOptions, removeAdditional: 'all', strict: false })

/**
 * Validates one part of a request by a schema of the contract. The schema is compiled at its first use: to compile all of
 * them takes a tenth of the start.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const isBody = httpPart === 'body'
  const prepare = isBody ? nullRemover(schema) : listMaker(schema)
  let compiled: ValidateFunction | undefined
  const validate = (value: unknown): boolean => {
    compiled ??= (isBody ? bodyCompiler : queryCompiler).compile(schema)
    prepare?.(value)
    const isValid = compiled(value)
    validate.errors = compiled.errors ?? null
    return isValid
  }
  // The framework reads errors from this property.
  validate.errors = null as NonNullable<ValidateFunction['errors']> | null
  return validate
}

/** The part of a schema that is needed before validation. */
interface ObjectSchema {
  readonly type?: string | readonly string[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, ObjectSchema>>
  readonly items?: ObjectSchema
}

/** Changes a value in place. */
type Preparation = (value: unknown) => void

/**
 * Makes lists of the parameters of a query that are lists and are given once: they arrive as a text.
 * @returns undefined when the schema has none
 */
function listMaker({ properties = {} }: ObjectSchema): Preparation | undefined {
  const lists = Object.keys(properties).filter((name) => properties[name]?.type === 'array')
  if (lists.length === 0) return undefined
  return (value) => {
    const parameters = value as Record<string, unknown>
    for (const name of lists) {
      const parameter = parameters[name]
      if (typeof parameter === 'string') parameters[name] = [parameter]
    }
  }
}

/**
 * Removes null values of optional fields in place: some clients send null for omitted fields (lists and pointers in
 * Go). It recurses only as deep as the schema.
 * @returns undefined when the schema has no optional field
 */
function nullRemover({ properties = {}, required = [], items }: ObjectSchema): Preparation | undefined {
  const ofItems = items === undefined ? undefined : nullRemover(items)
  if (ofItems !== undefined)
    return (value) => {
      if (Array.isArray(value)) for (const item of value) ofItems(item)
    }
  const optional = Object.keys(properties).filter(
    (name) => !required.includes(name) && properties[name]?.type?.includes('null') !== true,
  )
  const inner = Object.entries(properties).flatMap(([name, schema]): [string, Preparation][] => {
    const remover = nullRemover(schema)
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

/** Whether a text is a valid date in RFC 3339, not before 1970. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : NaN
  return time >= 0 && new Date(time).toISOString().startsWith(text)
}
