import { join } from 'node:path'
import { chromium } from 'playwright-core'

/** Takes the README's picture of the upload page of a running server: `node e2e/src/page-picture.ts URL`. */
const [, , url = 'http://127.0.0.1:8080/'] = process.argv
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
})
const page = await browser.newPage({ viewport: { width: 960, height: 720 }, colorScheme: 'light' })
await page.goto(url)
await page.getByRole('button', { name: 'Choose files' }).waitFor()
await page.screenshot({ path: join(import.meta.dirname, '../../docs/images/upload.png') })
await browser.close()
