import { chown, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { describeUnless } from '../../../../scripts/tests/needs.ts'
import { ownerSkipReason } from '../../../../scripts/tests/programs.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import { check, directory, startHere, newDirectory } from './run-check.ts'

beforeEach(newDirectory)

const other = 65_534

describeUnless(ownerSkipReason, 'svcd check of owners', () => {
  test('without files, or when all belong to the user of the process, is silent', async () => {
    const agreement = ['ok the files belong to the user of this process']
    expect((await check()).about('owners')).toEqual(agreement)
    const server = await startHere()
    await storeUpload(server)
    expect((await check()).about('owners')).toEqual(agreement)
    await server.close()
    expect((await check()).about('owners')).toEqual(agreement)
  })

  test('run as root in the directory of a user, warns', async () => {
    await mkdir(join(directory, 'files'))
    await chown(join(directory, 'files'), other, other)
    expect((await check()).about('owners')).toEqual([
      `warn ${join(directory, 'files')} belongs to user 65534, and this process runs as user 0: run svcd as the user to whom its files belong`,
    ])
  })

  test('names a file of another user than its directory, and the command that mends it', async () => {
    const server = await startHere()
    await storeUpload(server)
    const files = join(directory, 'files')
    const [shard = ''] = await readdir(files)
    const [stored = ''] = await readdir(join(files, shard))
    const path = join(files, shard, stored)
    await chown(path, other, other)
    expect((await check()).about('owners')).toEqual([
      `warn ${path} belongs to user 65534, and its directory to user 0: chown -R --reference=${files} ${files}`,
    ])
    await chown(path, 0, 0)
    const database = join(directory, 'svc.db')
    await chown(database, other, other)
    expect((await check()).about('owners')).toEqual([
      expect.stringMatching(/^warn .*svc\.db belongs to user 65534, and its directory to user 0: chown/),
    ])
    await server.close()
  })
})
