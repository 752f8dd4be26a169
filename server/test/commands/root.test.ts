import { chown, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { ownerSkipReason } from '../../../scripts/tests/programs.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { svcd } from './command-line.ts'

/** An id without a name. */
const other = 54_321

describeUnless(ownerSkipReason, 'svcd as root on the installation of another user', () => {
  let directory: string
  beforeEach(async () => {
    directory = await temporaryDirectory()
    await writeFile(join(directory, 'svcd.toml'), '')
  })

  const refused = (folder: string) => ({
    status: 1,
    output: '',
    stderr: `${folder} belongs to user ${String(other)}, who could not use the files that root creates there: run the command as that user (sudo -u '#${String(other)}' svcd …)`,
  })

  test.each(['user create ada --generate-password', 'user list', 'import -', 'export -', 'stats'])(
    'svcd %s does not create the database',
    async (command) => {
      await chown(directory, other, other)
      expect(await svcd(directory, command.split(' '))).toEqual(refused(directory))
      expect(await readdir(directory)).toEqual(['svcd.toml'])
    },
  )

  test.each(['import --from transfer.sh old', 'verify --repair'])(
    'svcd %s does not write into the data directory',
    async (command) => {
      const files = join(directory, 'files')
      for (const folder of [files, join(directory, 'old')]) await mkdir(folder)
      await svcd(directory, ['user', 'list'])
      await chown(files, other, other)
      expect(await svcd(directory, command.split(' '))).toEqual(refused(files))
      expect(await readdir(files)).toEqual([])
    },
  )

  test('commands change an existing database, whose files keep their owner', async () => {
    await svcd(directory, ['user', 'list'])
    for (const path of [directory, join(directory, 'svc.db')]) await chown(path, other, other)
    const { status } = await svcd(directory, ['user', 'create', 'ada', '--generate-password'])
    expect(status).toBe(0)
    expect((await stat(join(directory, 'svc.db'))).uid).toBe(other)
  })

  test('nothing is refused in folders of root, as in a container', async () => {
    await mkdir(join(directory, 'files'))
    expect((await svcd(directory, ['user', 'create', 'ada', '--generate-password'])).status).toBe(0)
    expect((await svcd(directory, ['verify', '--repair'])).status).toBe(0)
  })
})
