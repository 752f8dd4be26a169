import { expect, test } from 'vitest'
import { svcd } from '../commands/command-line.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { newGokapi } from './gokapi/installation.ts'

type Gokapi = Awaited<ReturnType<typeof newGokapi>>

/** The outcome of an import, for people and as JSON. */
async function importing(fill: (gokapi: Gokapi) => Promise<void>, ...args: string[]) {
  const gokapi = await newGokapi()
  await fill(gokapi)
  gokapi.close()
  const directory = await emptyDirectory()
  return svcd(directory, ['import', '--from', 'gokapi', gokapi.root, ...args])
}

test('a size that is not a number of this service is reported as damaged', async () => {
  const { output } = await importing(async (gokapi) => {
    await gokapi.file('big', 'bytes')
    gokapi.run(`update FileMetaData set SizeBytes = 9223372036854775807`)
  })
  expect(output).toContain('it has 5 bytes, and its recorded size is damaged')
  expect(output).not.toContain('NaN')
})

test('a dry run of a database that is refused says that nothing was changed, and nothing else', async () => {
  const newer = (gokapi: Gokapi) => {
    gokapi.run('pragma user_version = 999')
    return Promise.resolve()
  }
  const dry = await importing(newer, '--dry-run')
  expect(dry.output).toContain('nothing was changed')
  expect(dry.stderr).toMatch(/^the dry run ended early:\nthe database is of a newer Gokapi/)
  const real = await importing(newer)
  expect(real.stderr).toContain('what was imported until then stays')
  expect(real.output).not.toContain('nothing was changed')
})

test('a file without a name is renamed, with both names in quotes', async () => {
  const { output } = await importing(async (gokapi) => {
    await gokapi.file('nameless', 'bytes', { Name: '' })
  })
  expect(output).toContain('from "" to "file"')
})

test('a long name is cut in the table, and complete in JSON', async () => {
  const name = `${'a'.repeat(2_500)}${'b'.repeat(2_500)}`
  const fill = async (gokapi: Gokapi) => {
    await gokapi.file('long', 'bytes', { Name: name })
  }
  const { output } = await importing(fill)
  expect(Math.max(...output.split('\n').map((line) => line.length))).toBeLessThan(250)
  expect(output).toMatch(/from "a+…b+" to "a+…a+"$/m)
  const { findings } = JSON.parse((await importing(fill, '--json')).output) as {
    findings: { detail: string }[]
  }
  expect(findings.map(({ detail }) => detail).join()).toContain(name)
})
