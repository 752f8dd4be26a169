import { Ajv, type ErrorObject } from 'ajv'
import type { TSchema } from 'typebox'

/** What is wrong with a value, as the rest of a sentence; null when it is as the schema says. */
export type FaultFinder = (value: unknown) => string | null

/** To make one takes tens of milliseconds, and schemas live as long as the process. */
const finders = new WeakMap<TSchema, FaultFinder>()

/** The message never repeats the value: it may be a secret. */
export function faultFinder(schema: TSchema): FaultFinder {
  const known = finders.get(schema)
  if (known !== undefined) return known
  const check = new Ajv({ strict: false }).compile(schema)
  const finder: FaultFinder = (value) => (check(value) ? null : (check.errors ?? []).map(inWords).join(', '))
  finders.set(schema, finder)
  return finder
}

function inWords({ instancePath, keyword, params, message = 'is wrong' }: ErrorObject): string {
  const place = instancePath.slice(1)
  const given = params as Readonly<Record<string, unknown>>
  switch (keyword) {
    case 'required':
      return `${String(given['missingProperty'])} is missing`
    case 'additionalProperties':
      return `${JSON.stringify(given['additionalProperty'])} is not known`
    case 'enum':
      return `${place} must be one of ${JSON.stringify(given['allowedValues'])}`
    case 'minLength':
      return `${place} must have at least ${String(given['limit'])} characters`
    case 'maxLength':
      return `${place} must have at most ${String(given['limit'])} characters`
    case 'pattern':
      return `${place} is not written as it should be`
    default:
      return `${place} ${message}`
  }
}
