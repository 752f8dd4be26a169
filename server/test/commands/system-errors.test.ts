import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../../scripts/test-servers/free-ports.ts'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { mountSkipReason } from '../../../scripts/tests/programs.ts'
import { smallDisk, type SmallDisk } from '../support/machine/small-disk.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { until } from '../support/until.ts'
import { emptyDirectory, runSvcd, startSvcd, type Settings } from '../support/servers/svcd.ts'

let directory: string
beforeEach(async () => {
  directory = await emptyDirectory()
})

/**
 * Runs a command that fails.
 * @returns its message
 */
async function messageOf(args: readonly string[], settings: Settings = {}): Promise<string> {
  const { status, output, stderr } = await runSvcd(args, directory, settings)
  expect([status, output]).toEqual([1, ''])
  return stderr
}

const databaseAt = (path: string): Settings => ({ METADATA_BACKEND_CONFIG_CONNECTION_STRING: path })
const filesAt = (path: string): Settings => ({ DATA_BACKEND_CONFIG_DIRECTORY: path })
const unopened = 'the metadata database could not be opened or migrated: '

test('a port that is taken, for the service or for metrics', async () => {
  const running = await startSvcd(directory)
  const { port, host } = new URL(running.url)
  const taken = `another program listens on ${host}: stop it, or choose another port (ListenPort, MetricsPort, InstanceURL) (EADDRINUSE)\n`
  expect(await messageOf(['serve'], { LISTEN_PORT: port })).toBe(taken)
  expect(await messageOf(['serve'], { METRICS_PORT: port })).toBe(taken)
  running.kill('SIGTERM')
  await running.ended
})

test('an address of another machine', async () => {
  expect(await messageOf(['serve'], { LISTEN_ADDRESS: '192.0.2.1', LISTEN_PORT: '8080' })).toMatch(
    /^this machine does not have the address of 192\.0\.2\.1:8080: .* \(EADDRNOTAVAIL\)\n$/,
  )
})

test('a file in the place of the data directory', async () => {
  const file = join(directory, 'file')
  await writeFile(file, '')
  expect(await messageOf(['serve'], filesAt(file))).toMatch(/^the data directory cannot be used: .*file/)
})

test('a data directory that does not exist although the database has files', async () => {
  const first = await startSvcd(directory)
  await storeUpload(first)
  first.kill('SIGTERM')
  await first.ended
  const files = join(directory, 'other-disk')
  const running = await startSvcd(directory, filesAt(files))
  await until('the reason is logged', () => running.log().includes('not ready'))
  expect(running.log()).toContain(`the directory ${files} does not exist (DataBackendConfig.Directory)`)
  running.kill('SIGTERM')
  await running.ended
})

test('an export to a directory that does not exist, and an import of such a file', async () => {
  const nowhere = join(directory, 'nowhere')
  expect(await messageOf(['export', 'nowhere/users'])).toBe(
    `${nowhere}/users cannot be written: the directory ${nowhere} does not exist: create it first (ENOENT)\n`,
  )
  expect(await messageOf(['import', 'nowhere'])).toBe(`${nowhere} does not exist (ENOENT)\n`)
})

test('a file to import is opened before the database', async () => {
  const unreachable: Settings = {
    METADATA_BACKEND_CONFIG_DRIVER: 'postgres',
    METADATA_BACKEND_CONFIG_CONNECTION_STRING: `postgres://127.0.0.1:${String(await freePort())}/svc`,
  }
  const nowhere = join(directory, 'nowhere')
  expect(await messageOf(['import', 'nowhere'], unreachable)).toBe(`${nowhere} does not exist (ENOENT)\n`)
  expect(await messageOf(['import', '.'], unreachable)).toBe(
    '. is a directory: name a file that svcd export wrote\n',
  )
})

describeUnless(mountSkipReason, 'a file system', () => {
  let disk: SmallDisk
  beforeEach(async () => {
    disk = await smallDisk(64 * 1024)
  })
  afterEach(() => disk.remove())

  test('without space for an export', async () => {
    await runSvcd(['user', 'create', 'bob', '--generate-password'], directory)
    await writeFile(join(disk.path, 'rest'), new Uint8Array(disk.free()))
    expect(await messageOf(['export', join(disk.path, 'users')])).toBe(
      `${disk.path}/users cannot be written: the disk has no space left: free some space, or use another disk (ENOSPC)\n`,
    )
  })

  test('that is read-only', async () => {
    await mkdir(join(disk.path, 'there'))
    disk.makeReadOnly()
    const path = join(disk.path, 'svc.db')
    expect(await messageOf(['serve'], databaseAt(path))).toBe(
      `${unopened}${path} is on a read-only file system: mount it for writing, or choose another place (EROFS)\n`,
    )
    const files = join(disk.path, 'files')
    expect(await messageOf(['serve'], filesAt(files))).toBe(
      `the data directory cannot be created: ${files} is on a read-only file system: mount it for writing, or choose another place (EROFS)\n`,
    )
  })

  test('that is read-only, with a data directory: a server that starts logs why it is not ready', async () => {
    const files = join(disk.path, 'files')
    await mkdir(files)
    disk.makeReadOnly()
    const running = await startSvcd(directory, filesAt(files))
    await until('the reason is logged', () => running.log().includes('not ready; requests will fail'))
    expect(running.log()).toMatch(/"level":50,.*EROFS/)
    running.kill('SIGTERM')
    await running.ended
  })
})
