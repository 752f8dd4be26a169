import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let forced: StartedServer
let browser: Browser
let folder: string

beforeAll(async () => {
  ;[server, forced, browser, folder] = await Promise.all([
    startServer(withAccounts),
    startServer({ ...withAccounts, FEATURE_AUTHENTICATION: 'forced' }),
    launch(),
    mkdtemp(path.join(tmpdir(), 'svc-clients-')),
  ])
  await writeFile(path.join(folder, 'FILE'), 'from a terminal')
})
afterAll(() =>
  Promise.all([server.stop(), forced.stop(), browser.close(), rm(folder, { recursive: true, force: true })]),
)

/**
 * Presses the button that copies a command.
 * @returns the text on the clipboard
 */
async function copied(page: Page, label: string): Promise<string> {
  const button = page.getByRole('button', { name: `Copy: ${label}` })
  await button.click()
  await button.getByText('Copied').waitFor()
  return page.evaluate(() => navigator.clipboard.readText())
}

/**
 * Runs a command as a terminal would.
 * @returns its output
 */
async function run(command: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, ...environment }, timeout: 120_000 }
  return (await promisify(execFile)('sh', ['-c', command], options)).stdout.trim()
}

const bytesOf = async (link: string) => Buffer.from(await (await fetch(link)).arrayBuffer())

async function open(url: string, person = false) {
  const { page, context, pageErrors } = await visit(browser, url)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  if (person) await logIn(page, url)
  await page.goto(`${url}/#/clients`)
  await page.getByRole('heading', { name: 'Other ways to upload' }).waitFor()
  return { page, pageErrors }
}

test('the upload page links to the clients, and the copied commands work', async () => {
  const { page, pageErrors } = await open(server.url)
  await page.goto(`${server.url}/`)
  await page.getByRole('link', { name: 'Other ways to upload' }).click()
  const link = await run(await copied(page, 'Upload a file'))
  expect((await bytesOf(link)).toString()).toBe('from a terminal')

  const once = await run(await copied(page, 'Allow one download, expire in one day'))
  expect((await bytesOf(once)).toString()).toBe('from a terminal')
  // The server counts the download after its last byte. Until then, it responds with 409.
  await expect.poll(async () => (await fetch(once)).status).toBe(404)

  await run('mkdir -p FOLDER && echo inside > FOLDER/a.txt')
  const archive = await run(await copied(page, 'Upload the output of a program'))
  await writeFile(path.join(folder, 'got.tar.gz'), await bytesOf(archive))
  expect(await run('tar xzOf got.tar.gz FOLDER/a.txt')).toBe('inside')

  const definition = await copied(page, 'Add a shell command to your shell’s start-up file')
  await run("cp FILE 'with a space'")
  const links = (await run(`${definition}\nsend FILE 'with a space'`)).split('\n')
  expect(links).toHaveLength(2)
  expect((await bytesOf(links[1] ?? '')).toString()).toBe('from a terminal')
  expect(pageErrors).toEqual([])
})

test('where authentication is forced, the commands contain a token', async () => {
  const { page } = await open(forced.url)
  await page.getByText('Only users with an account can upload files here').first().waitFor()
  const { token } = await (await signedIn(forced.url)).createMyToken({ comment: 'terminal' })
  const link = await run(await copied(page, 'Upload a file'), { SVC_TOKEN: token })
  expect((await bytesOf(link)).toString()).toBe('from a terminal')
})

interface ShareX {
  readonly RequestURL: string
  readonly FileFormName: string
  readonly Headers?: Record<string, string>
  readonly URL: string
  readonly DeletionURL: string
}

/** Uses the configuration as ShareX does: sends a form, and reads the link from the response. */
async function asShareX(file: ShareX) {
  const form = new FormData()
  form.set(file.FileFormName, new Blob(['a picture']), 'screen.png')
  const response = await fetch(file.RequestURL, { method: 'POST', body: form, headers: file.Headers ?? {} })
  const text = await response.text()
  const [, pattern = ''] = /^\{regex:(.+)\}$/.exec(file.URL) ?? []
  const [link = ''] = new RegExp(pattern).exec(text) ?? []
  const deletion = file.DeletionURL.replaceAll(
    /\{header:([^}]+)\}/g,
    (_all, name: string) => response.headers.get(name) ?? '',
  )
  return { link, deletion }
}

async function savedFile(page: Page): Promise<{ name: string; file: ShareX }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save file' }).click(),
  ])
  const file = JSON.parse(await readFile(await download.path(), 'utf8')) as ShareX
  return { name: download.suggestedFilename(), file }
}

test('the file for ShareX uploads pictures, and links to the page that removes them', async () => {
  const { page, pageErrors } = await open(server.url)
  const { name, file } = await savedFile(page)
  expect(name).toBe('Svc.sxcu')
  expect(file.Headers).toBe(undefined)
  const { link, deletion } = await asShareX(file)
  expect((await bytesOf(link)).toString()).toBe('a picture')
  await page.goto(deletion)
  await page.getByRole('button', { name: 'Delete upload' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Upload deleted' }).waitFor()
  expect((await fetch(link)).status).toBe(404)
  expect(pageErrors).toEqual([])
})

test('with an account, ShareX may upload for the user', async () => {
  const { page } = await open(server.url, true)
  const { file } = await savedFile(page)
  await page.getByText('A token was created for ShareX.').first().waitFor()
  const { link } = await asShareX(file)
  const sdk = await signedIn(server.url)
  const mine = await sdk.myUploads()
  expect(mine.results.map(({ id }) => link.includes(id))).toEqual([true])
  expect((await sdk.myTokens()).results.map(({ comment }) => comment)).toEqual(['ShareX'])
  await page.getByRole('switch', { name: 'Upload as me' }).click()
  expect((await savedFile(page)).file.Headers).toBe(undefined)
  expect((await sdk.myTokens()).total).toBe(1)
})

test('the programs of the server are listed, the one for this system first', async () => {
  const { page } = await visit(browser, server.url)
  const build = (os: string, arch: string) => ({
    name: 'svc',
    os,
    arch,
    path: `/clients/${os}-${arch}/svc`,
    size: 1_500_000,
    sha256: 'ab'.repeat(32),
    md5: '',
  })
  await page.route(/\/version$/, (route) =>
    route.fulfill({
      json: {
        version: '1.0.0',
        releases: [],
        clients: [build('windows', 'amd64'), build('darwin', 'arm64'), build('linux', 'amd64')],
      },
    }),
  )
  await page.goto(`${server.url}/#/clients`)
  const programs = page.getByRole('region', { name: 'Programs' })
  await programs.waitFor()
  await expect
    .poll(() => programs.locator('.name').allTextContents())
    .toEqual(['Linux amd64', 'Windows amd64', 'macOS arm64'])
  await programs.getByRole('listitem').first().getByText('For this computer').waitFor()
  const first = programs.getByRole('link', { name: 'Download svc Linux amd64' })
  await expect.poll(() => first.getAttribute('href')).toBe(`${server.url}/clients/linux-amd64/svc`)
})

test('portable programs are marked as such, with their requirements', async () => {
  const { page } = await open(server.url)
  const programs = page.getByRole('region', { name: 'Programs' })
  await programs.getByText('Any system · Node.js · ').waitFor()
  await programs.getByText('Any system · sh, curl · ').waitFor()
  await expect.poll(() => programs.locator('.name').allTextContents()).toEqual(['svc', 'svc.sh'])
  const script = programs.getByRole('link', { name: 'Download svc.sh', exact: true })
  await expect.poll(() => script.getAttribute('href')).toBe(`${server.url}/clients/svc.sh`)
})

test('a server without clients says so, and has no link to the page', async () => {
  await using cleanup = new AsyncDisposableStack()
  const without = await startServer({ FEATURE_CLIENTS: 'disabled' })
  cleanup.defer(without.stop)
  const { page } = await visit(browser, without.url)
  await page.goto(`${without.url}/`)
  await page.getByRole('button', { name: 'Choose files' }).waitFor()
  expect(await page.getByRole('link', { name: 'Other ways to upload' }).count()).toBe(0)
  await page.goto(`${without.url}/#/clients`)
  await page.getByText('This server offers no other ways to upload.').waitFor()
})
