import { createClient, type Client } from '@svc/sdk'
import type { UploadOptions } from '@svc/contract'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { logIn, signedIn, type TestUser } from '../../support/accounts.ts'
import { visit } from '../../support/browser.ts'
import { opened, sendButton } from '../../support/page-actions.ts'
import { startServer, type StartedServer } from '../../support/server.ts'
import type { SampleFile } from '../sample-files.ts'
import type { TakeScreenshots } from './screenshots.ts'

/** What all steps share. */
export interface TourResources {
  readonly browser: Browser
  /** Without accounts. */
  readonly open: StartedServer
  readonly accounts: StartedServer
  readonly sampleFiles: readonly SampleFile[]
}

/** What a step uses. */
export interface TourContext extends TourResources {
  readonly screenshot: TakeScreenshots
  /** Closes what the step has opened, after it. */
  readonly cleanup: AsyncDisposableStack
}

/** Brings the page to one or more states, and takes screenshots of them. */
export type TourStep = (tour: TourContext) => Promise<void>

export interface TourSection {
  readonly title: string
  /** By their names. */
  readonly steps: Readonly<Record<string, TourStep>>
}

export async function newPage(
  { browser, cleanup }: TourContext,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const { page, context } = await visit(browser, url, { viewport: { width: 820, height: 900 }, ...options })
  cleanup.defer(() => context.close())
  return page
}

/** Opens an address as a visitor. */
export async function openPage(
  tour: TourContext,
  address: string,
  options?: BrowserContextOptions,
): Promise<Page> {
  const page = await newPage(tour, address, options)
  await page.goto(address)
  await opened(page)
  return page
}

export async function newServer(
  { cleanup }: TourContext,
  settings: Readonly<Record<string, string>>,
): Promise<StartedServer> {
  const server = await startServer(settings)
  cleanup.defer(server.stop)
  return server
}

/** Creates a user, and signs in on the start page. */
export async function newUser(
  tour: TourContext,
  login: string,
  server = tour.accounts,
): Promise<{ user: TestUser; page: Page; sdk: Client }> {
  const user = { login, password: 'correct horse battery' }
  const admin = await signedIn(server.url)
  await admin.createUser({ provider: 'local', ...user })
  const page = await newPage(tour, server.url)
  await logIn(page, server.url, user)
  return { user, page, sdk: await signedIn(server.url, user) }
}

export const pathsOf = (sampleFiles: readonly SampleFile[], names?: readonly string[]): string[] =>
  sampleFiles.filter(({ name }) => names?.includes(name) ?? true).map(({ path }) => path)

/** Chooses all sample files on the start page. */
export async function chooseSampleFiles(
  { sampleFiles }: TourContext,
  page: Page,
  url: string,
): Promise<void> {
  await page.goto(`${url}/`)
  await opened(page)
  await page.setInputFiles('[data-testid=files]', pathsOf(sampleFiles))
  await page.locator('.thumbnail img').nth(2).waitFor()
}

/** Waits for the button that uploads, in English. */
export async function readyToSend(tour: TourContext, page: Page, url: string): Promise<void> {
  await chooseSampleFiles(tour, page, url)
  await sendButton(page).waitFor()
}

export interface SentFiles {
  readonly link: string
  readonly id: string
  readonly uploadToken: string
  readonly sdk: Client
}

/**
 * Uploads sample files.
 * @param pathOf the name of a file on the server, with its folders
 */
export async function upload(
  { open, sampleFiles }: TourContext,
  names: readonly string[],
  options: UploadOptions = {},
  { pathOf = (name: string) => name, sdk = createClient({ baseURL: open.url }) } = {},
): Promise<SentFiles> {
  const chosen = sampleFiles.filter(({ name }) => names.includes(name))
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
  { open }: TourContext,
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
