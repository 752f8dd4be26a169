import { Ajv, type ErrorObject } from 'ajv'
import type { TSchema } from 'typebox'

/**
 * Validates a value.
 * @returns the problem as the rest of a sentence, or null for a valid value
 */
export type SchemaValidator = (value: unknown) => string | null

/** Compiling a schema takes tens of milliseconds, and schemas live as long as the process. */
const validators = new WeakMap<TSchema, SchemaValidator>()

/** Compiles a schema. The message never contains the value, which may be a secret. */
export function schemaValidator(schema: TSchema): SchemaValidator {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const check = new Ajv({ strict: false }).compile(schema)
  const validator: SchemaValidator = (value) =>
    check(value) ? null : (check.errors ?? []).map(describeError).join(', ')
  validators.set(schema, validator)
  return validator
}

function describeError({ instancePath, keyword, params, message = 'is wrong' }: ErrorObject): string {
  const position = instancePath.slice(1)
  const details = params as Readonly<Record<string, unknown>>
  switch (keyword) {
    case 'required':
      return `${String(details['missingProperty'])} is missing`
    case 'additionalProperties':
      return `${JSON.stringify(details['additionalProperty'])} is not known`
    case 'enum':
      return `${position} must be one of ${JSON.stringify(details['allowedValues'])}`
    case 'minLength':
      return `${position} must have at least ${String(details['limit'])} characters`
    case 'maxLength':
      return `${position} must have at most ${String(details['limit'])} characters`
    case 'pattern':
      return `${position} has an invalid format`
    default:
      return `${position} ${message}`
  }
}
