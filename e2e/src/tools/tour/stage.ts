import { createClient, type Client } from '@svc/sdk'
import type { UploadOptions } from '@svc/contract'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { logIn, signedIn, type TestUser } from '../../support/accounts.ts'
import { visit } from '../../support/browser.ts'
import { opened, sendButton } from '../../support/page-actions.ts'
import { startServer, type StartedServer } from '../../support/server.ts'
import type { DrawnFile } from '../drawn-files.ts'
import type { Shoot } from './camera.ts'

/** What all scenes share. */
export interface Set {
  readonly browser: Browser
  /** Without accounts. */
  readonly open: StartedServer
  readonly accounts: StartedServer
  readonly drawn: readonly DrawnFile[]
}

/** What a scene has: everything that it opens is closed at its end. */
export interface Stage extends Set {
  readonly shoot: Shoot
  readonly cleanup: AsyncDisposableStack
}

/** Brings the page to one or more states, and takes their pictures. */
export type Scene = (stage: Stage) => Promise<void>

export interface Chapter {
  readonly title: string
  readonly scenes: readonly Scene[]
}

export async function newPage(
  { browser, cleanup }: Stage,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const { page, context } = await visit(browser, url, { viewport: { width: 820, height: 900 }, ...options })
  cleanup.defer(() => context.close())
  return page
}

/** A visitor at an address. */
export async function openPage(
  stage: Stage,
  address: string,
  options?: BrowserContextOptions,
): Promise<Page> {
  const page = await newPage(stage, address, options)
  await page.goto(address)
  await opened(page)
  return page
}

export async function newServer(
  { cleanup }: Stage,
  settings: Readonly<Record<string, string>>,
): Promise<StartedServer> {
  const server = await startServer(settings)
  cleanup.defer(server.stop)
  return server
}

/** A person with an account, whose page is at the start. */
export async function newUser(
  stage: Stage,
  login: string,
  server = stage.accounts,
): Promise<{ user: TestUser; page: Page; sdk: Client }> {
  const user = { login, password: 'correct horse battery' }
  const admin = await signedIn(server.url)
  await admin.createUser({ provider: 'local', ...user })
  const page = await newPage(stage, server.url)
  await logIn(page, server.url, user)
  return { user, page, sdk: await signedIn(server.url, user) }
}

export const pathsOf = (drawn: readonly DrawnFile[], names?: readonly string[]): string[] =>
  drawn.filter(({ name }) => names?.includes(name) ?? true).map(({ path }) => path)

/** Chooses all drawn files on the start page. */
export async function chooseDrawn({ drawn }: Stage, page: Page, url: string): Promise<void> {
  await page.goto(`${url}/`)
  await opened(page)
  await page.setInputFiles('[data-testid=files]', pathsOf(drawn))
  await page.locator('.thumbnail img').nth(2).waitFor()
}

/** Waits for the button that uploads, in English. */
export async function readyToSend(stage: Stage, page: Page, url: string): Promise<void> {
  await chooseDrawn(stage, page, url)
  await sendButton(page).waitFor()
}

export interface SentFiles {
  readonly link: string
  readonly id: string
  readonly uploadToken: string
  readonly sdk: Client
}

/**
 * Uploads drawn files.
 * @param pathOf the name of a file on the server, with its folders
 */
export async function upload(
  { open, drawn }: Stage,
  names: readonly string[],
  options: UploadOptions = {},
  { pathOf = (name: string) => name, sdk = createClient({ baseURL: open.url }) } = {},
): Promise<SentFiles> {
  const chosen = drawn.filter(({ name }) => names.includes(name))
  // Only declared files have folders.
  const files = chosen.map(({ name }) => ({ reference: name, fileName: pathOf(name) }))
  const created = await sdk.createUpload({ ...options, files })
  const { uploadToken = '' } = created
  for (const { name, buffer } of chosen) {
    const { id, fileName = '' } = created.files.find(({ reference }) => reference === name) ?? {}
    await sdk.addFile(created.id, new Blob([new Uint8Array(buffer)]), { fileName, fileID: id, uploadToken })
  }
  return { link: sdk.pageURL(created), id: created.id, uploadToken, sdk }
}

/** Uploads a file of this text or these bytes. */
export async function uploadContent(
  { open }: Stage,
  contents: Readonly<Record<string, BlobPart>>,
  options: UploadOptions = {},
): Promise<SentFiles> {
  const sdk = createClient({ baseURL: open.url })
  const created = await sdk.createUpload(options)
  const { uploadToken = '' } = created
  for (const [fileName, content] of Object.entries(contents))
    await sdk.addFile(created.id, new Blob([content]), { fileName, uploadToken })
  return { link: sdk.pageURL(created), id: created.id, uploadToken, sdk }
}
