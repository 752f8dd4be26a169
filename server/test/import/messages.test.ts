import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { svcd } from '../commands/command-line.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { storedFiles } from '../support/servers/server-data.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { fillPlik } from './plik/filled.ts'
import { newPlik, type PlikFixture } from './plik/installation.ts'
import { newTransferSh } from './transfer-sh/installation.ts'

let directory: string
beforeEach(async () => {
  directory = await emptyDirectory()
})

const importing = (from: string, source: string, ...args: string[]) =>
  svcd(directory, ['import', '--from', from, source, ...args])
const configure = (settings: string) => writeFile(join(directory, 'svcd.toml'), settings)

describe('an import from Plik', () => {
  let plik: PlikFixture
  beforeEach(async () => {
    plik = await newPlik()
    await fillPlik(plik)
    await plik.close()
  })

  test.each([
    ['', /^.*saved\.db is empty$/],
    ['# nothing\n', /^.*saved\.db has no settings of Plik: name plikd\.cfg, or the database of Plik$/],
    ['[server]\nport = 80\n', /has no settings of Plik/],
  ])('does not take a file with %j for a configuration', async (content, expected) => {
    const saved = join(plik.directory, 'saved.db')
    await writeFile(saved, content)
    const { status, stderr } = await importing('plik', saved)
    expect(stderr).toMatch(expected)
    expect(status).toBe(1)
    expect(await readdir(directory)).toEqual(['svcd.toml'])
  })

  test('is refused while another one runs, and not after it was killed', async () => {
    const path = join(directory, 'svc.db-import')
    {
      using other = new DatabaseSync(path)
      other.exec('begin exclusive')
      expect(await importing('plik', plik.configuration)).toEqual({
        status: 1,
        output: '',
        stderr: 'another import into this svcd runs: wait until it has ended',
      })
      expect(await importing('plik', plik.configuration, '--dry-run')).toMatchObject({ status: 0 })
    }
    expect(await readdir(directory)).toContain('svc.db-import')
    expect(await importing('plik', plik.configuration)).toMatchObject({ status: 0, stderr: '' })
    expect(await readdir(directory)).not.toContain('svc.db-import')
  })

  test('of which two start at once imports everything once', async () => {
    const both = await Promise.all([1, 2].map(() => importing('plik', plik.configuration)))
    expect(both.map(({ status }) => status).sort()).toEqual([0, 1])
    expect(both.find(({ status }) => status === 1)?.stderr).toMatch(/^another import into this svcd runs/)
    expect(storedFiles({ directory })).toHaveLength(9)
  })

  test('warns that users cannot sign in, unless accounts are enabled', async () => {
    const warning = 'warning: users cannot sign in: the configuration has FeatureAuthentication = "disabled"'
    expect((await importing('plik', plik.configuration)).output).toContain(warning)
    await configure('FeatureAuthentication = "enabled"\n')
    expect((await importing('plik', plik.configuration)).output).not.toContain('warning')
    await configure('')
    const { output } = await importing('plik', plik.configuration, '--json')
    expect(JSON.parse(output)).toMatchObject({ warnings: [warning.replace('warning: ', '')] })
  })

  test('in a dry run warns of too little space', async () => {
    await configure('FeatureAuthentication = "enabled"\n')
    const dryRun = (minFreeSpace: string) =>
      svcd(directory, ['import', '--from', 'plik', plik.configuration, '--dry-run'], {
        environment: { SVCD_MIN_FREE_SPACE_STR: minFreeSpace },
      })
    expect((await dryRun('0')).output).not.toContain('warning')
    expect((await dryRun('9000TB')).output).toMatch(
      /\nwarning: the data store has .* of free space, and the import needs 70 B, with .* to remain free \(MinFreeSpaceStr\)\n/,
    )
    expect(await readdir(directory)).toEqual(['svcd.toml'])
  })

  test('in a dry run warns of a data store that cannot be written', async () => {
    await configure('FeatureAuthentication = "enabled"\n[DataBackendConfig]\nDirectory = "/proc/1/files"\n')
    const { output } = await importing('plik', plik.configuration, '--dry-run')
    expect(output).toMatch(/\nwarning: the data store .*\n/)
  })
})

test('files of transfer.sh outside of the directories of tokens are reported', async () => {
  const { root, file } = await newTransferSh()
  await file('aB3dE6', 'plain.txt', 'plain text')
  await writeFile(join(root, 'stray.txt'), 'stray')
  await mkdir(join(root, 'lost+found'))
  const { status, output } = await importing('transfer.sh', root)
  expect(output).toMatch(/^orphan +stray\.txt +- +it is not in the directory of a token$/m)
  expect(output).toContain('needs attention: 1 orphan\n')
  expect(status).toBe(0)
})

test('a directory that only has other files is none of transfer.sh', async () => {
  const root = await temporaryDirectory()
  await writeFile(join(root, 'stray.txt'), 'stray')
  const { status, stderr } = await importing('transfer.sh', root)
  expect(stderr).toContain('has no files of transfer.sh')
  expect(status).toBe(1)
})
