import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * Checks the links between the pages of a site, and those to their headings.
 * @param folder folder of the HTML files
 * @returns a line for each broken link: `PAGE: TARGET`
 */
export function brokenLinks(folder: string): readonly string[] {
  const pages = globSync('**/*.html', { cwd: folder })
  const ids = new Map(pages.map((page) => [page, idsOf(readFileSync(join(folder, page), 'utf8'))]))
  return pages.flatMap((page) => {
    const text = readFileSync(join(folder, page), 'utf8')
    const targets = new Set(Array.from(text.matchAll(/\shref="([^"]+)"/g), ([, target = '']) => target))
    return [...targets]
      .filter((target) => !leadsSomewhere(folder, ids, page, target))
      .map((target) => `${page}: ${target}`)
  })
}

const idsOf = (text: string) => new Set(Array.from(text.matchAll(/\sid="([^"]+)"/g), ([, id = '']) => id))

function leadsSomewhere(
  folder: string,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
  page: string,
  target: string,
): boolean {
  if (/^(?:[a-z]+:|\/\/)/.test(target)) return true
  const [path = '', heading] = target.split('#').map(decodeURIComponent)
  const file = fileOf(page, path)
  const found = ids.get(file)
  if (found === undefined) return existsSync(join(folder, file))
  return heading === undefined || heading === '' || found.has(heading)
}

function fileOf(page: string, path: string): string {
  if (path === '') return page
  const file = relative('/', join('/', path.startsWith('/') ? '' : dirname(page), path))
  if (path.endsWith('/')) return join(file, 'index.html')
  return /\.\w+$/.test(file) ? file : `${file}.html`
}
