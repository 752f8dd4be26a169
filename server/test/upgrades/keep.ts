/**
 * Fills a database of each kind with the server of this checkout, and keeps it for the tests of upgrades. Run it for each release:
 *   node server/test/upgrades/keep.ts 0.1.0
 * It needs PostgreSQL and MariaDB (scripts/test-servers). It writes kept-VERSION/KIND: `database.sql`, `kept.json` and the
 * stored files. `kept-VERSION/svcd.toml` is written by hand.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { serverProcess } from '../../../scripts/server-process.mjs'
import { startDatabaseServer } from '../../../scripts/test-servers/databases/database-server.ts'
import { dumpOf } from './dumps.ts'
import { fill, type Kept } from './fill.ts'
import { folderOf, kinds, settingsOf, type Kind } from './kept.ts'

async function keep(version: string, kind: Kind): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'svcd-keep-'))
  await cp(join(folderOf(version), 'svcd.toml'), join(directory, 'svcd.toml'))
  const server = kind === 'sqlite3' ? undefined : await startDatabaseServer(kind)
  const connectionString = (await server?.create()) ?? join(directory, 'svc.db')
  const kept = await filledBy(directory, settingsOf({ driver: kind, connectionString }))
  const folder = folderOf(version, kind)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'database.sql'), await dumpOf({ driver: kind, connectionString }))
  await writeFile(join(folder, 'kept.json'), `${JSON.stringify(kept, null, 2)}\n`)
  await cp(join(directory, 'files'), join(folder, 'files'), { recursive: true })
  await server?.remove()
  await rm(directory, { recursive: true })
}

/** Starts the server, fills it, and stops it, so that everything is in the database. */
async function filledBy(directory: string, settings: Readonly<Record<string, string>>): Promise<Kept> {
  const { command, args, env } = serverProcess(['serve'])
  const child = spawn(command, args, {
    cwd: directory,
    env: { ...process.env, ...env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  try {
    for await (const line of createInterface(child.stdout)) {
      const url = /^svcd listens on (.*)\/$/.exec(line)?.[1]
      if (url !== undefined) return await fill(url)
    }
    throw new Error('the server did not start')
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

const [version] = process.argv.slice(2)
if (version === undefined) throw new Error('give the version: node server/test/upgrades/keep.ts 0.1.0')
for (const kind of kinds) await keep(version, kind)
