import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, gzip } from 'node:zlib'
import { describe, expect, test } from 'vitest'

const dist = path.join(import.meta.dirname, '..', 'dist')

const locales = path.join(import.meta.dirname, '..', 'src/locales')

/** Scripts that are loaded on use: dialogs, viewers, Markdown. */
const loadedOnUse = [
  'CommentsView',
  'markdown',
  'safe-html',
  'AppDialog',
  'TextEditor',
  'ViewerPanel',
  'code-view',
]

/** Maximum bytes of document, JavaScript and CSS that a first visit loads, compressed with gzip. */
const maxFirstVisit = 105_000

const read = (file: string) => readFile(path.join(dist, file), 'utf8')
const scriptNamed = (files: readonly string[], name: string) => {
  const named = new RegExp(`^${name}-[\\w-]{8}\\.js$`)
  const found = files.find((file) => named.test(file))
  if (!found) throw new Error(`no file of ${name} in the build`)
  return `assets/${found}`
}

/** A script with all that it imports statically, and the style sheets that come with it. */
async function closure(entries: readonly string[]): Promise<Set<string>> {
  const seen = new Set<string>()
  const visit = async (file: string): Promise<void> => {
    if (seen.has(file)) return
    seen.add(file)
    const code = await read(file)
    // Static imports only: a dynamic import has a parenthesis.
    const imports = [...code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)].map(
      ([, name = '']) => name,
    )
    for (const name of imports) await visit(`assets/${name}`)
  }
  for (const entry of entries) await visit(entry)
  return seen
}

/** The scripts that the document requests itself. */
const documentScripts = (html: string) =>
  Array.from(html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g), ([, file = '']) => file)

/** The style sheets that a page waits for: those of the document, and those that come with its own script. */
async function stylesOf(html: string, entry: string, page: string): Promise<string[]> {
  const code = await read(entry)
  const files =
    /m\.f=\[([^\]]*)\]/
      .exec(code)?.[1]
      ?.split(',')
      .map((file) => file.slice(3, -1)) ?? []
  const called = page.slice('assets/'.length).replaceAll('.', '\\.')
  const needs = new RegExp(`\\./${called}[^\\[]*__vite__mapDeps\\(\\[([\\d,]*)\\]`).exec(code)?.[1]
  if (needs === undefined) throw new Error(`no list of dependencies for ${page}`)
  const own = needs.split(',').map((at) => `assets/${files[Number(at)] ?? ''}`)
  const document = Array.from(html.matchAll(/href="\.\/(assets\/[^"]+\.css)"/g), ([, file = '']) => file)
  // A list of dependencies may repeat those of the document.
  return [...new Set([...document, ...own.filter((file) => file.endsWith('.css'))])]
}

async function gzipSize(files: Iterable<string>): Promise<number> {
  const sizes = await Promise.all(
    Array.from(files, async (file) => (await promisify(gzip)(await read(file))).length),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

describe('the resources of a first visit', () => {
  test.for([
    { page: 'UploadPage', others: ['en'] },
    { page: 'DownloadPage', others: ['en'] },
    { page: 'RequestPage', loader: 'request-pages', others: ['en', 'request-pages', 'requests-en'] },
  ])('stay below the limit for $page', async ({ page, loader, others }) => {
    const html = await read('index.html')
    const assets = await readdir(path.join(dist, 'assets'))
    const entries = documentScripts(html)
    const named = [page, ...others].map((name) => scriptNamed(assets, name))
    const scripts = await closure([...entries, ...named])
    const importer = scriptNamed(assets, loader ?? 'first')
    const styles = await stylesOf(html, importer, scriptNamed(assets, page))
    expect(styles.length).toBeGreaterThan(2)
    const size = await gzipSize(['index.html', ...scripts, ...styles])
    expect(size).toBeGreaterThan(20_000)
    expect(size).toBeLessThanOrEqual(maxFirstVisit)
  })

  test('are requested before the libraries have arrived', async () => {
    const html = await read('index.html')
    const entry = /src="\.\/(assets\/[^"]+\.js)"/.exec(html)?.[1] ?? ''
    const first = await closure([entry])
    expect(await gzipSize(first)).toBeLessThan(4_000)
    const assets = await readdir(path.join(dist, 'assets'))
    const start = await closure([scriptNamed(assets, 'shared')])
    expect(documentScripts(html).toSorted()).toEqual([...new Set([...first, ...start])].toSorted())
  })

  test('exclude dialogs, viewers, Markdown and other languages', async () => {
    const assets = await readdir(path.join(dist, 'assets'))
    const html = await read('index.html')
    const scripts = await closure([...documentScripts(html), scriptNamed(assets, 'UploadPage')])
    const languages = (await readdir(locales, { recursive: true }))
      .filter((file) => file.endsWith('.json'))
      .map((file) => path.parse(file).name)
    for (const name of [...loadedOnUse, ...languages.filter((language) => language !== 'en')])
      expect([name, scripts.has(scriptNamed(assets, name))]).toEqual([name, false])
  })
})

describe('the build', () => {
  test('has no inline script, and loads nothing from other hosts', async () => {
    const html = await read('index.html')
    expect(html.match(/<script(?![^>]*\bsrc=)/g)).toBe(null)
    expect(html.match(/(?:src|href)="(?!\.\/)[^"]*"/g)).toBe(null)
  })

  test.for(['shell-worker.js', 'save-worker.js', 'push-worker.js'])(
    'has a service worker %s that imports nothing',
    async (file) => {
      expect(await read(file)).not.toMatch(/\bimport\b|\bexport\b/)
    },
  )

  test('has compressed copies with the same content, for every script and style sheet', async () => {
    const assets = (await readdir(path.join(dist, 'assets'))).filter((file) => /\.(?:js|css)$/.test(file))
    let compared = 0
    for (const file of assets) {
      const bytes = await readFile(path.join(dist, 'assets', file))
      if (bytes.length < 512) continue
      compared += 1
      const copies = await Promise.all([
        readFile(path.join(dist, 'assets', `${file}.gz`)).then(promisify(gunzip)),
        readFile(path.join(dist, 'assets', `${file}.br`)).then(promisify(brotliDecompress)),
      ])
      expect(copies.every((copy) => copy.equals(bytes))).toBe(true)
    }
    expect(compared).toBeGreaterThan(10)
  })

  test('leaves the settings uncompressed, because operators edit them', async () => {
    expect((await readdir(dist)).filter((file) => file.startsWith('settings'))).toEqual(['settings.json'])
  })
})
