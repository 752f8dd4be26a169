import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { beginSvcd, emptyDirectory, runSvcd } from '../../support/servers/svcd.ts'
import { lookUp, storedFiles } from '../../support/servers/server-data.ts'
import { svcd } from '../../commands/command-line.ts'
import { existsSync, readdirSync } from 'node:fs'
import { until } from '../../support/until.ts'
import { newPlik } from './installation.ts'

const uploads = 1_800

const ids = Array.from({ length: uploads }, (_, number) => `u${String(number).padStart(13, '0')}00`)

test('an import that is killed twice at random moments, and run again, has each file once', async () => {
  const directory = await emptyDirectory()
  const plik = await newPlik()
  await plik.run('begin')
  for (const id of ids) await plik.upload(id, {}, { 'one.txt': `content of ${id}`, 'two.txt': '2' })
  await plik.run('commit')
  await plik.close()
  const args = ['import', '--from', 'plik', plik.configuration]
  const copied = () => {
    const files = join(directory, 'files')
    return existsSync(files) ? readdirSync(files, { recursive: true }).length : 0
  }
  for (let kills = 0; kills < 2; kills += 1) {
    const limit = copied() + randomInt(1, 600)
    const command = beginSvcd(args, directory)
    await until('some files are copied', () => copied() >= limit)
    command.kill('SIGKILL')
    expect((await command.ended).signal).toBe('SIGKILL')
  }
  expect(await runSvcd(args, directory)).toMatchObject({ status: 0 })
  expect(lookUp({ directory }, 'select id from uploads order by id')).toEqual(ids)
  const expected = ids.flatMap((id) => [`${id.slice(0, 14)}00`, `${id.slice(0, 14)}01`])
  expect(lookUp({ directory }, 'select id from files order by id')).toEqual(expected)
  expect(storedFiles({ directory })).toEqual(expected)
  expect(await svcd(directory, ['verify', '--hashes'])).toMatchObject({ status: 0 })
  expect((await svcd(directory, ['stats', '--recount'])).output).toContain('all stored counters are correct')
})
