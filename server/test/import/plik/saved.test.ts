import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { copyFile, open, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { describeWith } from '../../../../scripts/tests/needs.ts'
import { svcd } from '../../commands/command-line.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { emptyDirectory } from '../../support/servers/svcd.ts'
import { fillPlik } from './filled.ts'
import { newPlik } from './installation.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/importing.md'), 'utf8')

/** The command of the page that saves what is readable of `plik.db`. */
function savingCommand(): string {
  const [, section = ''] = page.split('\n### Damaged databases\n')
  return /^sqlite3 plik\.db .*$/m.exec(section)?.[0] ?? ''
}

/** Overwrites some of the pages at the end of a database. */
async function damage(path: string): Promise<void> {
  const { size } = await stat(path)
  const length = 40_960
  await using file = await open(path, 'r+')
  await file.write(Buffer.alloc(length, 0xff), 0, length, size - length)
}

describeWith(['sqlite3'], 'the command for damaged databases', () => {
  test.each([false, true])('saves what can be imported (damaged: %j)', async (isDamaged) => {
    const plik = await newPlik()
    await fillPlik(plik)
    for (let n = 0; n < 50; n += 1)
      await plik.upload(`u${String(n).padStart(15, '0')}`, { comments: 'c'.repeat(3_000) })
    await plik.close()
    const place = await temporaryDirectory()
    await copyFile(join(plik.directory, 'plik.db'), join(place, 'plik.db'))
    if (isDamaged) await damage(join(place, 'plik.db'))
    execFileSync('sh', ['-c', savingCommand()], { cwd: place, stdio: 'pipe' })
    const directory = await emptyDirectory()
    const importing = (name: string) =>
      svcd(directory, ['import', '--from', 'plik', join(place, name), '--data', plik.files])
    const damaged = await importing('plik.db')
    expect(damaged.status).toBe(isDamaged ? 1 : 0)
    const saved = await importing('saved.db')
    expect(saved).toMatchObject({ status: 0, stderr: '' })
    expect(saved.output).toContain(`imported ${isDamaged ? '' : '0 users, 0 tokens, 0 uploads'}`)
    const uploads = [...saved.output.matchAll(/(\d+) uploads, \d+ files/g)].map(([, count]) => Number(count))
    const total = uploads.reduce((sum, count) => sum + count, 0)
    if (isDamaged) expect(total).toBeLessThan(59)
    else expect(total).toBe(59)
    expect(total).toBeGreaterThan(40)
  })
})
