import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Builder, Capabilities, error, type WebDriver, type WebElement } from 'selenium-webdriver'
import { vi } from 'vitest'
import { freePort } from '../../../scripts/test-servers/free-ports.ts'

/** Milliseconds after which a step counts as hanging. */
const stepTimeout = 90_000

/** WebKitGTK's MiniBrowser has the engine of Safari. */
const miniBrowser = '/usr/lib/*/webkit{2gtk-4.*,gtk-6.*}/MiniBrowser'

/** A window of WebKit, driven over WebDriver, with a separate home directory and display. */
export interface WebKit {
  readonly driver: WebDriver
  /** Waits for an element of a page that is visible and has this label or, without a label, this text. */
  readonly find: (selector: string, name: string | RegExp) => Promise<WebElement>
  readonly click: (selector: string, name: string | RegExp) => Promise<void>
  /** Waits for a downloaded file. @param size bytes of the whole file: its name is there before them */
  readonly downloaded: (name: string, size: number) => Promise<Buffer>
  readonly close: () => Promise<void>
}

export async function launchWebKit(): Promise<WebKit> {
  await using cleanup = new AsyncDisposableStack()
  const home = await mkdtemp(path.join(tmpdir(), 'svc-e2e-webkit-'))
  cleanup.defer(() => rm(home, { recursive: true, force: true, maxRetries: 3 }))
  const downloads = path.join(home, 'downloads')
  await mkdir(path.join(home, '.config'))
  await mkdir(downloads)
  await writeFile(path.join(home, '.config/user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/downloads"\n')

  const display = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  cleanup.defer(() => void display.kill())
  const [number] = (await once(createInterface(display.stdout), 'line')) as [string]
  const port = await freePort()
  const server = spawn('WebKitWebDriver', [`--port=${String(port)}`], {
    env: {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: path.join(home, '.config'),
      DISPLAY: `:${number}`,
      LC_ALL: 'C.UTF-8',
    },
    stdio: 'ignore',
  })
  cleanup.defer(() => void server.kill())
  const address = `http://127.0.0.1:${String(port)}`
  await vi.waitFor(() => fetch(`${address}/status`), stepTimeout)
  const driver = await new Builder()
    .usingServer(address)
    .withCapabilities(
      new Capabilities().setBrowserName('MiniBrowser').set('webkitgtk:browserOptions', {
        binary: globSync(miniBrowser)[0],
        args: ['--automation'],
      }),
    )
    .build()
  cleanup.defer(() => driver.quit())

  const find = async (selector: string, name: string | RegExp) => {
    let text = ''
    const element = async () => {
      const shown = await driver.executeScript<Shown>(lookForElements, selector)
      text = shown.text
      return shown.elements.find((element) => matches(element.name, name))?.element ?? null
    }
    try {
      return await driver.wait<WebElement>(element, stepTimeout)
    } catch (cause) {
      throw new Error(`no ${selector} ${String(name)} in the page:\n${text}`, { cause })
    }
  }
  const running = cleanup.move()
  return {
    driver,
    find,
    async click(selector, name) {
      // The page may replace an element in the moment of a click.
      const isClicked = async () => {
        try {
          const element = await find(selector, name)
          // The driver scrolls an element behind what is fixed at the bottom of the window.
          await driver.executeScript("arguments[0].scrollIntoView({ block: 'center' })", element)
          await element.click()
          return true
        } catch (caught) {
          if (caught instanceof error.StaleElementReferenceError) return false
          throw caught
        }
      }
      await driver.wait(isClicked, stepTimeout)
    },
    async downloaded(name, size) {
      const file = path.join(downloads, name)
      const isComplete = () => statSync(file, { throwIfNoEntry: false })?.size === size
      await driver.wait(isComplete, stepTimeout, `${name} was not downloaded`)
      return readFile(file)
    },
    close: () => running.disposeAsync(),
  }
}

interface Shown {
  readonly elements: readonly { readonly element: WebElement; readonly name: string }[]
  /** The text of the page. */
  readonly text: string
}

/** A script for the page: its visible elements that match a selector. */
const lookForElements = `
  const elements = [...document.querySelectorAll(arguments[0])]
    .filter((element) => element.checkVisibility())
    .map((element) => ({
      element,
      name: (element.ariaLabel ?? element.labels?.[0]?.innerText ?? element.innerText).trim(),
    }))
  return { elements, text: document.body.innerText }`

const matches = (text: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? text === wanted : wanted.test(text)
