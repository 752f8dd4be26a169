import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  chromium,
  firefox,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'
import { onTestFinished, TestRunner } from 'vitest'
import { logPage } from './page-log.ts'

/**
 * Milliseconds after which a step counts as hanging: less than the limit of a test, so that the message names
 * the step.
 */
const stepTimeout = 90_000

const results = path.join(import.meta.dirname, '../../results')

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const chromiumPath = () => process.env['SVC_CHROMIUM'] ?? '/usr/bin/chromium'
/** Chromium without windows: tests take two thirds of the time. */
const headlessShell = '/usr/bin/chromium-headless-shell'
const fastestPath = () =>
  process.env['SVC_CHROMIUM'] === undefined && existsSync(headlessShell) ? headlessShell : chromiumPath()

const options = (executablePath: string) => ({
  executablePath,
  args: flags,
  // Without a UTF-8 locale, Chromium saves no file with a name beyond ASCII.
  env: { ...process.env, LC_ALL: 'C.UTF-8' },
})

export const launch = (): Promise<Browser> => chromium.launch(options(fastestPath()))

/** With scroll bars that take space, as on most desktops. */
export const launchWithScrollbars = (): Promise<Browser> =>
  chromium.launch({ ...options(fastestPath()), ignoreDefaultArgs: ['--hide-scrollbars'] })

/** Headless Chromium without windows denies every permission to show notifications. */
export const launchWithNotifications = (): Promise<Browser> => chromium.launch(options(chromiumPath()))

export interface Firefox {
  readonly browser: Browser
  readonly close: () => Promise<void>
}

/** Debian's Firefox, driven over WebDriver BiDi, with a separate home directory. */
export async function launchFirefox(preferences: Readonly<Record<string, boolean>> = {}): Promise<Firefox> {
  const home = await mkdtemp(path.join(tmpdir(), 'svc-e2e-firefox-'))
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: process.env['SVC_FIREFOX'] ?? '/usr/bin/firefox-esr',
    env: { ...process.env, HOME: home, LC_ALL: 'C.UTF-8' },
    firefoxUserPrefs: { ...preferences },
  })
  return {
    browser,
    close: async () => {
      await browser.close()
      await rm(home, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** The driver of Firefox cannot emulate these. */
export const inFirefox: BrowserContextOptions = {
  colorScheme: null,
  reducedMotion: null,
  forcedColors: null,
  contrast: null,
}

/** For tests with animations. */
export const withMotion: BrowserContextOptions = { reducedMotion: 'no-preference' }

/** The value of a site setting of Chromium: blocked. */
const block = 2

/** A browser that blocks all storage of sites: no cookies, no storage, no service worker. */
export async function launchWithoutStorage(): Promise<{
  context: BrowserContext
  close: () => Promise<void>
}> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-e2e-profile-'))
  await mkdir(path.join(folder, 'Default'))
  const settings = { profile: { default_content_setting_values: { cookies: block } } }
  await writeFile(path.join(folder, 'Default/Preferences'), JSON.stringify(settings))
  const context = await chromium.launchPersistentContext(folder, {
    // Only the full browser applies the settings of a profile.
    ...options(chromiumPath()),
    locale: 'en-GB',
    acceptDownloads: true,
  })
  context.setDefaultTimeout(stepTimeout)
  return {
    context,
    close: async () => {
      await context.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** A page, and its errors. */
export interface WatchedPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Script errors, blocked scripts and requests to other hosts. */
  readonly pageErrors: readonly string[]
}

/** The user agent of an ordinary browser: a headless one counts as a bot, which gets no one-shot file. */
const userAgent = (browser: Browser): BrowserContextOptions =>
  browser.browserType().name() === 'chromium' ? { userAgent: chromiumAgent(browser) } : {}

const chromiumAgent = (browser: Browser) =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser.version()} Safari/537.36`

/** A fresh visitor with reduced motion: `withMotion` is one without. */
export async function visit(
  browser: Browser,
  server: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    locale: 'en-GB',
    ...userAgent(browser),
    acceptDownloads: true,
    viewport: { width: 1000, height: 800 },
    // Animations would delay tests and disturb measurements.
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(stepTimeout)
  if (TestRunner.getCurrentTest() !== undefined) {
    const log = await logPage(page)
    let isClosed = false
    context.once('close', () => {
      isClosed = true
    })
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') process.stderr.write(`${await log.text()}\n`)
      if (isClosed) return
      // A handler of a request that the page has just made would fail without its page, and end the run.
      await Promise.all(
        [context, ...context.pages()].map((target) => target.unrouteAll({ behavior: 'ignoreErrors' })),
      )
      // Pages that stay open take processor time from the tests that follow.
      await context.close()
    })
  }
  const pageErrors: string[] = []
  page.on('pageerror', (error) => pageErrors.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (/Content Security Policy|Unhandled|\[Vue|\[intlify/i.test(message.text()))
      pageErrors.push(message.text())
  })
  page.on('request', (request) => {
    const { protocol, host, href } = new URL(request.url())
    if (host !== new URL(server).host && !/^(?:blob|data|about|chrome|chrome-extension):/.test(protocol))
      pageErrors.push(`request: ${href}`)
  })
  return { page, context, pageErrors }
}

/** Saves a picture of a page, with `SVC_PICTURES` in the environment. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!process.env['SVC_PICTURES']) return
  await mkdir(results, { recursive: true })
  await page.screenshot({ path: path.join(results, `${name}.png`), fullPage: true })
}
