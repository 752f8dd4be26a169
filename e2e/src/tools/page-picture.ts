import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launch } from '../support/browser.ts'
import { choose, flip, openOptions, opened, send } from '../support/page-actions.ts'

/** Takes the pictures of README and docs of a running server: `node e2e/src/tools/page-picture.ts URL`. */
const [, , url = 'http://127.0.0.1:8080'] = process.argv
const base = url.replace(/\/+$/, '')
const folder = join(import.meta.dirname, '../../../docs/images')

const picked = [
  { name: 'Rome/Colosseum.jpg', bytes: Buffer.alloc(4_200_000) },
  { name: 'Rome/Tiber.jpg', bytes: Buffer.alloc(3_100_000) },
  {
    name: 'notes.md',
    bytes: Buffer.from('# Rome\n\nThree days, **eleven** churches.\n\n- the Pantheon\n- the Forum\n'),
  },
]

const browser = await launch()
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ viewport: { width: 960, height: 720 }, colorScheme, locale: 'en-GB' })
  const picture = (of: Page, name: string) =>
    of.screenshot({ path: join(folder, `${name}${colorScheme === 'dark' ? '-dark' : ''}.png`) })
  await page.goto(`${base}/`)
  await page.getByRole('button', { name: 'Choose files' }).waitFor()
  await picture(page, 'upload')
  await choose(page, base, picked)
  await openOptions(page)
  await flip(page, 'Add note')
  await page.getByLabel('Note (Markdown supported)').fill('Photos of **Rome**')
  const link = await send(page)
  await page.goto('about:blank')
  await page.goto(link)
  await opened(page)
  await page.getByTestId('comments').waitFor()
  await picture(page, 'download')
  await page.close()
}
await browser.close()
