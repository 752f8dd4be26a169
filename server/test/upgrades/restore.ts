import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { MetadataBackendConfig } from '../../src/config/config.ts'
import type { Cluster } from '../support/servers/cluster.ts'
import type { Kept } from './fill.ts'
import { folderOf } from './kept.ts'

/**
 * Fills the database and the data directory of a cluster with those that are kept of a version.
 * @returns what is in them
 */
export async function restoreKept(version: string, cluster: Cluster): Promise<Kept> {
  const folder = folderOf(version, cluster.kind)
  await restore(cluster.database, await readFile(join(folder, 'database.sql'), 'utf8'))
  await cp(join(folder, 'files'), join(cluster.directory, 'files'), { recursive: true })
  return JSON.parse(await readFile(join(folder, 'kept.json'), 'utf8')) as Kept
}

async function restore({ driver, connectionString }: MetadataBackendConfig, statements: string) {
  if (driver === 'sqlite3') {
    const database = new DatabaseSync(connectionString)
    // The tables are in the order in which they were made, which is not that of their references.
    database.exec(`pragma foreign_keys = off; begin; ${statements} commit`)
    database.close()
  } else if (driver === 'postgres') {
    const client = new pg.Client({ connectionString })
    await client.connect()
    await client.query(statements)
    await client.end()
  } else {
    const connection = await mysql.createConnection({ uri: connectionString, multipleStatements: true })
    await connection.query(statements)
    await connection.end()
  }
}
