import { readdir } from 'node:fs/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { emptyDirectory } from '../../support/servers/svcd.ts'
import { lookUp, storedFiles } from '../../support/servers/server-data.ts'
import { svcd } from '../../commands/command-line.ts'
import { fillPlik } from './filled.ts'
import { newPlik, type PlikFixture } from './installation.ts'

let directory: string
let plik: PlikFixture
beforeEach(async () => {
  directory = await emptyDirectory()
  plik = await newPlik()
  await fillPlik(plik)
  await plik.close()
})

const importing = (...args: string[]) =>
  svcd(directory, ['import', '--from', 'plik', plik.configuration, ...args])

const counts = (added: string, kept: string, first: string) =>
  [
    `${first} ${added}`,
    `already present: ${kept}`,
    'uploads left out: 1 removed, 1 expired, 1 stream',
    ...(first === 'would import' ? ['nothing was changed'] : []),
    'warning: users cannot sign in: the configuration has FeatureAuthentication = "disabled"',
    '',
  ].join('\n')
const all = '3 users, 1 token, 9 uploads, 10 files'
const none = '0 users, 0 tokens, 0 uploads, 0 files'

describe('svcd import --from plik', () => {
  test('imports users, tokens, uploads and files', async () => {
    expect(await importing()).toEqual({
      status: 0,
      output: counts(`${all} (70 B)`, none, 'imported'),
      stderr: '',
    })
    expect(storedFiles({ directory })).toHaveLength(9)
  })

  test('reports the same in a dry run, and changes nothing', async () => {
    const before = await readdir(directory)
    expect(await importing('--dry-run')).toEqual({
      status: 0,
      output: counts(`${all} (70 B)`, none, 'would import'),
      stderr: '',
    })
    expect(await readdir(directory)).toEqual(before)
  })

  test('adds nothing when it runs again', async () => {
    await importing()
    const rows = () =>
      lookUp({ directory }, 'select id from uploads union all select id from files order by id')
    const before = rows()
    expect((await importing()).output).toBe(counts(`${none} (0 B)`, all, 'imported'))
    expect(rows()).toEqual(before)
    expect((await importing('--dry-run')).output).toContain(`already present: ${all}\n`)
  })

  test('leaves everything as svcd verify expects it', async () => {
    await importing()
    expect(await svcd(directory, ['verify', '--hashes'])).toMatchObject({ status: 0 })
    expect((await svcd(directory, ['stats', '--recount'])).output).toContain(
      'all stored counters are correct',
    )
  })

  test('can be exported and imported', async () => {
    await importing()
    const { output } = await svcd(directory, ['export', '-'])
    const other = await emptyDirectory()
    expect(await svcd(other, ['import', '-'], { input: output })).toMatchObject({ status: 0 })
  })
})
