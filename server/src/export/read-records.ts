import type { TSchema } from 'typebox'
import { schemaValidator, type SchemaValidator } from './schema-validator.ts'
import { contradictionIn } from './record-contradictions.ts'
import { InvalidLineError, linesOf, type NumberedText } from './lines.ts'
import { formatVersion, schemas, type Line, type LineKind, type RecordKind } from './record-lines.ts'
import { fromVersion1, schemas1 } from './version-1.ts'

/** The maximum of bytes of a line. The longest comments take a fifth, even if each character is escaped. */
const maxLineBytes = 1024 * 1024

/**
 * Reads the records of an export, and validates their fields and their order.
 * @throws InvalidLineError
 */
export async function* readRecords(source: AsyncIterable<Uint8Array>): AsyncGenerator<Line<RecordKind>> {
  const parse = lineParser()
  const checkOrder = orderChecker()
  let number = 0
  let records = 0
  let ended = false
  for await (const text of linesOf(source, maxLineBytes)) {
    const line = parse(text)
    number = line.number
    if (ended) throw new InvalidLineError(number, 'it comes after the end')
    if ((number === 1) !== (line.kind === 'export'))
      throw new InvalidLineError(number, 'an export starts with {"kind":"export"}, once')
    if (line.kind === 'export') continue
    if (line.kind === 'end') {
      if (line.fields.records !== records)
        throw new InvalidLineError(number, `there are ${String(records)} records before it`)
      ended = true
    } else {
      checkOrder(line)
      records += 1
      yield line
    }
  }
  if (!ended)
    throw new InvalidLineError(number + 1, 'the export is incomplete: it does not end with {"kind":"end"}')
}

/** Users come before what belongs to them, and uploads before their files. */
const ranks: Readonly<Record<RecordKind, number>> = {
  user: 0,
  token: 1,
  request: 2,
  upload: 3,
  file: 3,
  preview: 4,
  alias: 5,
  download: 6,
  figure: 7,
  webhook: 8,
  notification: 9,
}

function orderChecker(): (line: Line<RecordKind>) => void {
  let reached = 0
  let upload: string | undefined
  return ({ number, kind, fields }) => {
    if (ranks[kind] < reached)
      throw new InvalidLineError(
        number,
        'the order is users, tokens, upload requests, uploads with their files, previews, aliases, downloads, daily stats, webhooks, and settings of notifications',
      )
    reached = ranks[kind]
    if (kind === 'upload') upload = fields.id
    if (kind === 'file' && fields.uploadId !== upload)
      throw new InvalidLineError(number, 'a file follows its upload')
  }
}

type Schemas = Readonly<Record<LineKind, TSchema>>

/** The schemas of each version, and the conversion of its lines to the current version. */
const versions = new Map<unknown, { readonly schemas: Schemas; readonly upToDate: typeof fromVersion1 }>([
  [1, { schemas: schemas1, upToDate: fromVersion1 }],
  [formatVersion, { schemas, upToDate: (_kind, fields) => fields }],
])

const validatorsOf = (schemaByKind: Schemas) =>
  new Map<unknown, SchemaValidator>(
    Object.entries(schemaByKind).map(([kind, schema]) => [kind, schemaValidator(schema)]),
  )

function lineParser(): (text: NumberedText) => Line {
  // The first line has the version.
  let { upToDate } = versionOf(1, formatVersion)
  let validators = validatorsOf(schemas)
  return ({ number, text }) => {
    const { kind, ...fields } = parseObject(number, text)
    const validate = validators.get(kind)
    if (validate === undefined)
      throw new InvalidLineError(number, `its kind is none of ${[...validators.keys()].join(', ')}`)
    const problem = validate(fields) ?? (isWellFormed(fields) ? null : 'a text is not valid Unicode')
    if (problem !== null) throw new InvalidLineError(number, problem)
    const line = { number, kind, fields: upToDate(kind, fields) } as Line
    if (line.kind === 'export') {
      const version = versionOf(number, line.fields.version)
      upToDate = version.upToDate
      validators = validatorsOf(version.schemas)
    }
    const contradiction = line.kind === 'export' || line.kind === 'end' ? null : contradictionIn(line)
    if (contradiction !== null) throw new InvalidLineError(number, contradiction)
    return line
  }
}

function versionOf(number: number, version: number) {
  const found = versions.get(version)
  if (found !== undefined) return found
  const known = [...versions.keys()].join(' and ')
  throw new InvalidLineError(
    number,
    `the format is version ${String(version)}, and this svcd reads versions ${known}`,
  )
}

function parseObject(number: number, text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  } catch (cause) {
    throw new InvalidLineError(number, 'it is not JSON', cause)
  }
  throw new InvalidLineError(number, 'it is not an object')
}

/** Whether all texts are valid Unicode: an escape can encode half a surrogate pair, which no database stores. */
const isWellFormed = (fields: object): boolean =>
  Object.values(fields).every((value) => typeof value !== 'string' || value.isWellFormed())
