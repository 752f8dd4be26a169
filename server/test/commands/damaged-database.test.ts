import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { emptyDirectory, runSvcd } from '../support/servers/svcd.ts'

let directory: string
beforeEach(async () => {
  directory = await emptyDirectory()
})

/** Overwrites all pages of the database but the first. */
async function damagePages(): Promise<void> {
  await runSvcd(['user', 'create', 'bob', '--generate-password'], directory)
  const file = await open(join(directory, 'svc.db'), 'r+')
  await file.write(new Uint8Array(10 * 4_096).fill(0xff), 0, 10 * 4_096, 4_096)
  await file.close()
}

const replaceFile = () =>
  writeFile(join(directory, 'svc.db'), 'this is not a database, but a text of some length')

const advice = 'the database is damaged: restore its backup'

describe.each([
  ['with overwritten pages', damagePages, 'database disk image is malformed'],
  ['that is another file', replaceFile, 'file is not a database'],
])('a SQLite database %s', (_, damage, reason) => {
  beforeEach(damage)

  test.each(['serve', 'export'])('ends %s with what to do, and names no migration', async (command) => {
    const args = command === 'export' ? ['export', '-'] : [command]
    const { status, stderr } = await runSvcd(args, directory)
    expect([status, stderr]).toEqual([
      1,
      `the metadata database could not be opened or migrated: ${reason}: ${advice}\n`,
    ])
  })

  test('is reported by check', async () => {
    const { status, output } = await runSvcd(['check'], directory)
    expect([status, output]).toEqual([1, expect.stringMatching(`fail +database: ${reason}: ${advice}\n`)])
  })
})
