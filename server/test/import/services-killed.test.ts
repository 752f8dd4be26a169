import { existsSync, readdirSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { svcd } from '../commands/command-line.ts'
import { lookUp, storedFiles } from '../support/servers/server-data.ts'
import { beginSvcd, emptyDirectory, runSvcd } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'
import { services } from './services.ts'

const uploads = 1_800

test.each(services)(
  'an import from $name that is killed at a random moment, and run again, has each file once',
  async ({ name, many }) => {
    const directory = await emptyDirectory()
    const args = ['import', '--from', name, await many(uploads)]
    const files = join(directory, 'files')
    const copied = () => (existsSync(files) ? readdirSync(files, { recursive: true }).length : 0)
    const limit = randomInt(1, 1_200)
    const command = beginSvcd(args, directory)
    await until('some files are copied', () => copied() >= limit)
    command.kill('SIGKILL')
    expect((await command.ended).signal).toBe('SIGKILL')
    expect(await runSvcd(args, directory)).toMatchObject({ status: 0 })
    expect(lookUp({ directory }, 'select count(*) from uploads')).toEqual([uploads])
    expect(storedFiles({ directory })).toEqual(lookUp({ directory }, 'select id from files order by id'))
    expect(await svcd(directory, ['verify', '--hashes'])).toMatchObject({ status: 0 })
    expect((await svcd(directory, ['stats', '--recount'])).output).toContain(
      'all stored counters are correct',
    )
  },
)
