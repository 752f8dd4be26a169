// Draws the icons of the installed application from its SVG: node e2e/src/tools/app-icons.ts
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const folder = join(import.meta.dirname, '../../../webapp/public')
// Systems crop icons to various shapes: the background reaches the edge, the drawing keeps a margin.
const drawing = (await readFile(join(folder, 'favicon.svg'), 'utf8')).replace(' rx="8"', '')
const browser = await chromium.launch({
  executablePath: process.env['SVC_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
})
for (const size of [192, 512]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<style>* { margin: 0 } svg { display: block; width: 100vw }</style>${drawing}`)
  await writeFile(join(folder, `icon-${String(size)}.png`), await page.screenshot())
  await page.close()
}
await browser.close()
