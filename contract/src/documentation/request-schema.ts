import type { TSchema } from 'typebox'

/** The parts of a schema that decide where null is accepted. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/**
 * The schema of a request body as the server validates it: null in an optional field is the same as no field, because
 * some clients send null for omitted fields.
 */
export const requestSchema = (schema: TSchema): TSchema => withNulls(schema)

function withNulls(schema: Schema): Schema {
  const { properties, required = [], items } = schema
  return {
    ...schema,
    ...(items && { items: withNulls(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [
          name,
          required.includes(name) ? withNulls(field) : orNull(withNulls(field)),
        ]),
      ),
    }),
  }
}

function orNull({ const: constant, ...schema }: Schema): Schema {
  const values = constant === undefined ? schema.enum : [constant]
  const types = [schema.type ?? []].flat()
  return {
    ...schema,
    ...(values && { enum: [...values, null] }),
    ...(types.length > 0 && { type: [...new Set([...types, 'null'])] }),
  }
}
