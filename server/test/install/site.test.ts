import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { brokenLinks } from '../../../scripts/site/check-links.ts'
import { memoryDirectory } from '../support/machine/temporary-directory.ts'

const build = resolve(import.meta.dirname, '../../../scripts/site/build.ts')

test('the site has every page of the documentation, and is read without scripts', async () => {
  const site = await memoryDirectory()
  await promisify(execFile)(process.execPath, [build, site])
  const read = (page: string) => readFile(join(site, page), 'utf8')
  // The text is in the HTML, and the pages of the index are in the list beside it.
  expect(await read('index.html')).toContain('Svc is a self-hosted service for temporary files')
  const quickStart = await read('docs/quick-start.html')
  expect(quickStart).toContain('<h1 id="quick-start"')
  for (const page of ['docs/protocol', 'docs/configuration', 'docs/install/debian', 'sdk/', 'CONTRIBUTING'])
    expect([page, quickStart.includes(`href="/${page}${page.endsWith('/') ? '' : '.html'}"`)]).toEqual([
      page,
      true,
    ])
})

test('broken links are found', async () => {
  const site = await memoryDirectory()
  await mkdir(join(site, 'docs'))
  await writeFile(
    join(site, 'index.html'),
    '<a href="/docs/a#there">1</a> <a href="./docs/a.html#missing">2</a> <a href="gone.html">3</a>',
  )
  await writeFile(
    join(site, 'docs/a.html'),
    '<h2 id="there"></h2> <a href="../">4</a> <a href="#there">5</a> <a href="#no">6</a> <a href="https://example.org/">7</a>',
  )
  expect([...brokenLinks(site)].sort()).toEqual([
    'docs/a.html: #no',
    'index.html: ./docs/a.html#missing',
    'index.html: gone.html',
  ])
})
