import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { startServer, type StartedServer } from '../support/server.ts'

const program = path.join(import.meta.dirname, '../../../clients/svc.mjs')

let server: StartedServer
let browser: Browser
let home: string

beforeAll(async () => {
  ;[server, browser, home] = await Promise.all([
    startServer({ ...withAccounts, FEATURE_AUTHENTICATION: 'forced' }),
    launch(),
    mkdtemp(path.join(tmpdir(), 'svc-command-line-')),
  ])
})
afterAll(() => Promise.all([server.stop(), browser.close(), rm(home, { recursive: true, force: true })]))

/** The client as the server distributes it, on a computer without a configuration. */
function svc(...args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return {
    stderr: () => stderr,
    ended: once(child, 'close').then(([status]) => ({ status: status as number, output, stderr })),
  }
}

test('a client logs in, uploads for a recipient, and logs out', async () => {
  await writeFile(path.join(home, 'report.pdf'), randomBytes(300_000))
  const rejected = await svc('report.pdf', '--server', server.url).ended
  expect(rejected.stderr).toContain('only signed-in users can upload')

  const login = svc('login', '--server', server.url, '--no-browser')
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url)
  await expect.poll(login.stderr, { timeout: 60_000 }).toMatch(/cli-auth\S*\n/)
  await page.goto(/https?:\S+cli-auth\S*/.exec(login.stderr())?.[0] ?? '')
  const [, code = ''] = /enter the code (\S+):/.exec(login.stderr()) ?? []
  await page.getByLabel('Code from the terminal').fill(code)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'Approved' }).waitFor()
  expect(await login.ended).toMatchObject({ status: 0 })

  const sent = await svc('-a', 'zip', 'report.pdf').ended
  const [link = ''] = sent.output.split('\n')
  const [mine] = (await (await signedIn(server.url)).myUploads()).results
  expect(link).toBe(`${server.url}/#/?id=${String(mine?.id)}`)
  await page.goto(link)
  await page.getByText('report.pdf.zip').first().waitFor()

  await mkdir(path.join(home, 'elsewhere'))
  expect(await svc('get', '-x', link, '-o', 'elsewhere').ended).toMatchObject({ status: 0 })
  const [here, there] = await Promise.all(
    ['report.pdf', 'elsewhere/report.pdf'].map((name) => readFile(path.join(home, name))),
  )
  expect(there?.equals(here ?? Buffer.alloc(0))).toBe(true)

  expect(await svc('rm', link).ended).toMatchObject({ status: 0 })
  expect(await svc('get', link).ended).toMatchObject({ status: 1 })
  expect(pageErrors).toEqual([])
})
