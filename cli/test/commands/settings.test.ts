import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installSvc, type Svc } from '../support/svc.ts'

let svc: Svc
beforeAll(async () => {
  svc = await installSvc()
})
afterAll(() => svc.close())

const environment = { SVC_CONFIG: 'settings.toml' }

/** Returns the file after the commands. */
async function after(text: string, ...lines: readonly (readonly string[])[]): Promise<string> {
  await writeFile(svc.path('settings.toml'), text)
  for (const line of lines)
    expect(await svc.run(['config', ...line], { environment })).toMatchObject({ status: 0, stderr: '' })
  return readFile(svc.path('settings.toml'), 'utf8')
}

const mine = `# Mine; see the wiki.
profile = 'work'

[profiles."work"] # at the office
server = "https://svc.example"   # not #2
ttl = '1h'
# oneshot = true

[profiles.home]
# The old one.
server = "http://nas:8080"
`

test('a change preserves the rest of the file as its owner wrote it', async () => {
  expect(await after(mine, ['ttl', '2h'])).toBe(mine.replace(`ttl = '1h'`, 'ttl = "2h"'))
  expect(await after(mine, ['server', 'https://new.example'])).toBe(
    mine.replace('https://svc.example', 'https://new.example'),
  )
  expect(await after(mine, ['--unset', 'ttl'])).toBe(mine.replace(`ttl = '1h'\n`, ''))
  expect(await after(mine, ['removable', 'true'])).toBe(
    mine.replace(`ttl = '1h'\n`, `ttl = '1h'\nremovable = true\n`),
  )
  expect(await after(mine, ['-P', 'home', 'oneshot', 'true'])).toBe(`${mine}oneshot = true\n`)
})

test('a new profile is appended', async () => {
  expect(await after(mine, ['-P', 'a new one', 'ttl', '1d'])).toBe(
    `${mine}\n[profiles."a new one"]\nttl = "1d"\n`,
  )
  expect(await after('', ['ttl', '1d'])).toBe('[profiles.default]\nttl = "1d"\n')
})

test.each([
  'profiles.default.ttl = "1h"\n',
  'profiles = { default = { ttl = "1h" } }\n',
  '[profiles]\ndefault.ttl = "1h"\n',
  '[profiles.default]\n"ttl" = """\n1h"""\n',
])('a file in an alternative TOML notation can be changed: %j', async (text) => {
  expect(await after(text, ['ttl', '2h'])).toBe('[profiles.default]\nttl = "2h"\n')
})
