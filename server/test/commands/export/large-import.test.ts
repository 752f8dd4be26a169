import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportText, noRecords } from '../../../src/export/export.ts'
import type { LocalRules } from '../../../src/export/notification-filter.ts'
import { importRecords } from '../../../src/export/import.ts'
import { openBulkTables } from '../../../src/metadata/bulk-tables.ts'
import { openDialect } from '../../../src/metadata/open-dialect.ts'
import { connectDirectly } from '../../support/databases/direct-connection.ts'
import { fillWithUploads } from '../../support/databases/many-uploads.ts'
import { describeOn, newDatabase } from '../../support/databases/network-databases.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

const rules: LocalRules = { privateNetworks: [], webhooksPerUser: 10, onRefused: () => undefined }

const count = 20_000

const open = async (config: Parameters<typeof openDialect>[0]) =>
  openBulkTables(await openDialect(config, 'bulk', () => undefined))

describeOn('postgres', 'a large import', () => {
  test('does not read the files of its earlier records again, and lists read indexes alone after it', async () => {
    const connectionString = join(await temporaryDirectory(), 'svc.db')
    const source = { driver: 'sqlite3', connectionString, fsync: false } as const
    await fillWithUploads({ database: source, count })
    const from = await open(source)
    const target = await newDatabase('postgres')
    const database = await connectDirectly(target)
    // With its usual setting, the planner prefers indexes only in much larger tables.
    const [current] = await database.query('select current_database() as name')
    await database.query(`alter database "${String(current?.['name'])}" set random_page_cost = 1`)
    const to = await open(target)
    // A row is visible to all only if no older snapshot is open. The one of an automatic analyze would be.
    const tables = await database.query(`select tablename from pg_tables where schemaname = 'public'`)
    for (const { tablename } of tables) {
      await database.query(`alter table "${String(tablename)}" set (autovacuum_enabled = off)`)
    }
    const report = await from.snapshot((tables) =>
      importRecords(to, asBytes(exportText(tables, noRecords())), 'new', rules),
    )
    await Promise.all([from.close(), to.close()])
    expect(report.added).toMatchObject({ upload: count, file: count })

    const [row] = await database.query(
      `select seq_tup_read as read from pg_stat_user_tables where relname = 'files'`,
    )
    const visibility = await database.query(
      `select relname, relallvisible::float / relpages as share from pg_class where relname in ('uploads', 'files')`,
    )
    await database.close()
    // All pages but few: vacuum passes over one that the checkpointer writes at that moment, and leaves out rows
    // that are younger than a snapshot, which an automatic analyze of the catalogue may have.
    expect(visibility).toHaveLength(2)
    for (const { relname, share } of visibility) expect(Number(share), String(relname)).toBeGreaterThan(0.9)
    // The first records, before there are statistics, and the counts at the end.
    expect(Number(row?.['read'])).toBeLessThanOrEqual(10 * count)
  })
})

async function* asBytes(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const part of text) yield Buffer.from(part)
}
