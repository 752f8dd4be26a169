import type { BulkTables } from '../metadata/bulk-tables.ts'
import { recordAdder, type ImportMode, type ImportReport } from './add-records.ts'
import type { Tally } from './export.ts'
import type { LocalRules } from './notification-filter.ts'
import { readRecords } from './read-records.ts'
import { readAhead } from '../domain/collections/read-ahead.ts'
import { CommandError } from '../domain/command-error.ts'

/** The number of lines of a write. */
const batch = 500

/** The number of records of one kind after which statistics are updated, and again each time it has doubled. */
const firstStatistics = 2_000

/** The number of records between two progress reports. */
const progressInterval = 100_000

/**
 * Adds the records of an export to a database, in one transaction.
 * @param source the text of an export, in UTF-8
 * @param rules the rules of this server, which the other server may not have had
 * @param onProgress called at an interval with the number of records
 * @throws InvalidLineError; CommandError when the database must be empty and is not
 */
export function importRecords(
  tables: BulkTables,
  source: AsyncIterable<Uint8Array>,
  mode: ImportMode,
  rules: LocalRules,
  onProgress: (records: number) => void = () => undefined,
): Promise<ImportReport> {
  return tables.transaction(async (writes) => {
    if (mode === 'new' && !(await writes.isEmpty()))
      throw new CommandError('the database has users or uploads: use --merge to add the missing records')
    const adder = recordAdder(writes, mode, rules)
    const addAll = async () => {
      let records = 0
      const hasDoubled = doublings()
      for await (const lines of readAhead(inBatches(readRecords(source)))) {
        await adder.add(lines)
        records += lines.length
        if (hasDoubled(adder.report.added)) await writes.updateStatistics()
        if (records % progressInterval === 0) onProgress(records)
      }
      await writes.updateStatistics()
    }
    await (mode === 'new' ? writes.withoutIndexes(addAll) : addAll())
    await writes.countOwners()
    return adder.report
  })
}

/** Whether the records of a kind have doubled since it was last true. */
export function doublings(): (added: Tally) => boolean {
  const next = new Map<string, number>()
  return (added) => {
    const doubled = Object.entries(added).filter(
      ([kind, count]) => count >= (next.get(kind) ?? firstStatistics),
    )
    for (const [kind, count] of doubled) next.set(kind, 2 * count)
    return doubled.length > 0
  }
}

async function* inBatches<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[], void> {
  let gathered: Item[] = []
  for await (const item of items) {
    gathered.push(item)
    if (gathered.length < batch) continue
    yield gathered
    gathered = []
  }
  yield gathered
}
