import type { TSchema } from 'typebox'
import { faultFinder, type FaultFinder } from './faults.ts'
import { BadLine, linesOf, type NumberedText } from './lines.ts'
import {
  contradictionIn,
  formatVersion,
  schemas,
  type Line,
  type LineKind,
  type RecordKind,
} from './record-lines.ts'
import { fromVersion1, schemas1 } from './version-1.ts'

/** Bytes. The longest comments take a fifth of it, were each character escaped. */
const longestLine = 1024 * 1024

/**
 * The records of an export, each checked for itself and for its place.
 * @throws BadLine
 */
export async function* readRecords(source: AsyncIterable<Uint8Array>): AsyncGenerator<Line<RecordKind>> {
  const parse = lineParser()
  const checkPlace = placeChecker()
  let number = 0
  let records = 0
  let ended = false
  for await (const text of linesOf(source, longestLine)) {
    const line = parse(text)
    number = line.number
    if (ended) throw new BadLine(number, 'it comes after the end')
    if ((number === 1) !== (line.kind === 'export'))
      throw new BadLine(number, 'an export begins with {"kind":"export"}, once')
    if (line.kind === 'export') continue
    if (line.kind === 'end') {
      if (line.fields.records !== records)
        throw new BadLine(number, `there are ${String(records)} records before it`)
      ended = true
    } else {
      checkPlace(line)
      records += 1
      yield line
    }
  }
  if (!ended) throw new BadLine(number + 1, 'the export is cut off: it does not close with {"kind":"end"}')
}

/** Users come before what is theirs, and uploads before their files. */
const ranks: Readonly<Record<RecordKind, number>> = {
  user: 0,
  token: 1,
  upload: 2,
  file: 2,
  figure: 3,
}

function placeChecker(): (line: Line<RecordKind>) => void {
  let reached = 0
  let upload: string | undefined
  return ({ number, kind, fields }) => {
    if (ranks[kind] < reached)
      throw new BadLine(number, 'the order is users, tokens, uploads with their files, and figures')
    reached = ranks[kind]
    if (kind === 'upload') upload = fields.id
    if (kind === 'file' && fields.uploadId !== upload) throw new BadLine(number, 'a file follows its upload')
  }
}

type Schemas = Readonly<Record<LineKind, TSchema>>

/** What lines of each version are checked against, and how they become lines of today's. */
const versions = new Map<unknown, { readonly schemas: Schemas; readonly upToDate: typeof fromVersion1 }>([
  [1, { schemas: schemas1, upToDate: fromVersion1 }],
  [formatVersion, { schemas, upToDate: (_kind, fields) => fields }],
])

const faultFinders = (of: Schemas) =>
  new Map<unknown, FaultFinder>(Object.entries(of).map(([kind, schema]) => [kind, faultFinder(schema)]))

function lineParser(): (text: NumberedText) => Line {
  // The first line says which version it is.
  let { upToDate } = versionOf(1, formatVersion)
  let finders = faultFinders(schemas)
  return ({ number, text }) => {
    const { kind, ...fields } = parseObject(number, text)
    const faultOf = finders.get(kind)
    if (faultOf === undefined)
      throw new BadLine(number, `its kind is none of ${[...finders.keys()].join(', ')}`)
    const fault = faultOf(fields) ?? (isWellFormed(fields) ? null : 'a text is not valid Unicode')
    if (fault !== null) throw new BadLine(number, fault)
    const line = { number, kind, fields: upToDate(kind, fields) } as Line
    if (line.kind === 'export') {
      const version = versionOf(number, line.fields.version)
      upToDate = version.upToDate
      finders = faultFinders(version.schemas)
    }
    const contradiction = line.kind === 'export' || line.kind === 'end' ? null : contradictionIn(line)
    if (contradiction !== null) throw new BadLine(number, contradiction)
    return line
  }
}

function versionOf(number: number, version: number) {
  const found = versions.get(version)
  if (found !== undefined) return found
  const known = [...versions.keys()].join(' and ')
  throw new BadLine(number, `the format is version ${String(version)}, and this svcd reads versions ${known}`)
}

function parseObject(number: number, text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  } catch (cause) {
    throw new BadLine(number, 'it is not JSON', cause)
  }
  throw new BadLine(number, 'it is not an object')
}

/** An escape can spell half a character, which no database keeps. */
const isWellFormed = (fields: object): boolean =>
  Object.values(fields).every((value) => typeof value !== 'string' || value.isWellFormed())
