import type { BulkTables } from '../metadata/bulk-tables.ts'
import { recordAdder, type ImportMode, type ImportReport } from './add-records.ts'
import { readRecords } from './read-records.ts'
import { CommandError } from '../domain/command-error.ts'

/** The number of lines of a write. */
const batch = 500

/** The number of records between two progress reports. */
const progressInterval = 100_000

/**
 * Adds the records of an export to a database, in one transaction.
 * @param source the text of an export, in UTF-8
 * @param onProgress called at an interval with the number of records
 * @throws InvalidLineError; CommandError when the database must be empty and is not
 */
export function importRecords(
  tables: BulkTables,
  source: AsyncIterable<Uint8Array>,
  mode: ImportMode,
  onProgress: (records: number) => void = () => undefined,
): Promise<ImportReport> {
  return tables.transaction(async (writes) => {
    if (mode === 'new' && !(await writes.isEmpty()))
      throw new CommandError('the database has users or uploads: use --merge to add the missing records')
    const adder = recordAdder(writes, mode)
    const addAll = async () => {
      let records = 0
      for await (const lines of inBatches(readRecords(source))) {
        await adder.add(lines)
        records += lines.length
        if (records % progressInterval === 0) onProgress(records)
      }
      await writes.countSizes()
    }
    await (mode === 'new' ? writes.withoutIndexes(addAll) : addAll())
    await writes.countOwners()
    return adder.report
  })
}

async function* inBatches<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let gathered: Item[] = []
  for await (const item of items) {
    gathered.push(item)
    if (gathered.length < batch) continue
    yield gathered
    gathered = []
  }
  yield gathered
}
