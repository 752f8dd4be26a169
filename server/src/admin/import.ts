import type { BulkTables } from '../metadata/bulk-tables.ts'
import { recordAdder, type ImportMode, type ImportReport } from './add-records.ts'
import { readRecords } from './read-records.ts'
import { Refused } from './import-error.ts'

/** Lines that are written together. */
const batch = 500

/** Records after which the progress is told. */
const notice = 100_000

/**
 * Adds the records of an export to a database, all or nothing.
 * @param source the text of an export, in UTF-8
 * @param onProgress told now and then how many records were read
 * @throws BadLine; Refused when the database has to be empty and is not
 */
export function importRecords(
  tables: BulkTables,
  source: AsyncIterable<Uint8Array>,
  mode: ImportMode,
  onProgress: (records: number) => void = () => undefined,
): Promise<ImportReport> {
  return tables.transaction(async (writes) => {
    if (mode === 'new' && !(await writes.isEmpty()))
      throw new Refused('the database has users or uploads: say --merge to add what it lacks')
    const adder = recordAdder(writes, mode)
    const addAll = async () => {
      let records = 0
      for await (const lines of inBatches(readRecords(source))) {
        await adder.add(lines)
        records += lines.length
        if (records % notice === 0) onProgress(records)
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
