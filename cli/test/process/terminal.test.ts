import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDirectory, startSvcd, type Svcd } from '../../../server/test/support/servers/svcd.ts'
import { installSvc, type Svc } from '../support/svc.ts'
import { svcAtTerminal } from '../support/terminal.ts'

/** The output at a terminal of a given width. */
let server: Svcd
let svc: Svc
beforeAll(async () => {
  server = await startSvcd(await emptyDirectory())
  svc = await installSvc(server.url)
  await writeFile(svc.path('large'), randomBytes(1_000_000))
})
afterAll(async () => {
  server.kill('SIGKILL')
  await Promise.all([server.ended, svc.close()])
})

const outputAt = async (columns: number, args: readonly string[]): Promise<string> =>
  (await svcAtTerminal(svc, args, { columns })).screen

const size = String.raw`\d[\d.]* [kM]?B`

test.each([
  [80, String.raw`[█░]{24} +\d+ %  ${size} of 1\.00 MB  ${size}/s(?:  \d+s left)?`],
  [40, String.raw`[█░]{8,24} +\d+ %  ${size} of 1\.00 MB(?:  ${size}/s)?`],
  [20, String.raw`[█░]{8,24} +\d+ %`],
  [8, String.raw` *\d+ %`],
])('a progress bar in a terminal of %i columns shows as much as fits', async (columns, bar) => {
  const text = await outputAt(columns, ['-n', 'name', 'large'])
  // A bar ends with the escape sequence that erases the rest of the line.
  const bars = [...text.matchAll(/\r([^\r\n]+)\p{Cc}\[K/gu)].map(([, line = '']) => line)
  expect(bars).not.toEqual([])
  for (const line of bars) {
    expect(line).toMatch(new RegExp(`^${bar}$`))
    expect(line.length).toBeLessThan(columns)
  }
})

test('help wraps within its column on a narrow terminal', async () => {
  const help = (await outputAt(60, ['get', '--help'])).split('\r\n')
  for (const line of help) expect(line.length).toBeLessThanOrEqual(60)
  const long = help.findIndex((line) => line.includes('-x, --extract'))
  expect(help[long + 1]).toMatch(/^ {20,}\S/)
})
