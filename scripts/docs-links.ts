// Checks the relative links and anchors of all pages, and the references to documents and sources in pages and comments:
// node scripts/docs-links.ts
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
/** Files of the checkout whose names match one of the patterns. */
function filesLike(...patterns: readonly string[]): readonly string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  return listed.split('\n').filter((file) => file !== '' && existsSync(join(root, file)))
}
const pages = filesLike('*.md')
const sources = filesLike('*.ts', '*.vue', '*.mjs', '*.js', '*.css', '*.html', '*.py', '*.sh', '*.yml')

/** A page without blocks of code and comments. */
function proseOf(page: string): string {
  return readFileSync(join(root, page), 'utf8')
    .replaceAll(/^( *)(`{3,}).*\n[^]*?^\1\2 *$/gm, '')
    .replaceAll(/<!--[^]*?-->/g, '')
}

/** The anchors of a page's headings, as code hosts make them: lower case, no punctuation, a number for a repetition. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of proseOf(page).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-')
    let anchor = slug
    for (let repetition = 1; anchors.has(anchor); repetition += 1) anchor = `${slug}-${String(repetition)}`
    anchors.add(anchor)
  }
  return anchors
}

/** The targets of links and pictures that are not addresses of other sites. */
function targetsOf(page: string): readonly string[] {
  const prose = proseOf(page).replaceAll(/`[^`\n]*`/g, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)]
  const elements = [...prose.matchAll(/\b(?:src|srcset|href)="([^"\s]+)"/g)]
  const definitions = [...prose.matchAll(/^\[[^\]]+\]: +(\S+)/gm)]
  return [...links, ...elements, ...definitions]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target))
}

/** What is wrong with a link of a page, or undefined. */
function faultOf(page: string, target: string): string | undefined {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : normalize(join(dirname(page), decodeURIComponent(path)))
  if (file.startsWith('..')) return 'leads out of the repository'
  if (!existsSync(join(root, file))) return 'there is no such file'
  if (anchor === undefined || !file.endsWith('.md')) return undefined
  return anchorsOf(file).has(decodeURIComponent(anchor)) ? undefined : 'there is no such heading'
}

/** A reference to a page of docs/, such as docs/protocol.md with the anchor of a heading. */
const pageReference = /(?<![\w/.-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g
/** Sections of public standards, by name. */
const standardSections =
  /(?:RFC \d+|FIPS [\d-]+|WHATWG [\w ]+|OpenID Connect(?: Core)?|Core|Discovery|APPNOTE) \u00a7[\d.]+(?:(?:,| and| to) \u00a7[\d.]+)*/g

/** What is wrong in a line of a source: references without a target, and sections without a standard that readers can find. */
function faultsOfLine(line: string): readonly string[] {
  const broken = [...line.matchAll(pageReference)].flatMap(([reference]) => {
    const fault = faultOf('README.md', reference)
    return fault === undefined ? [] : [`${reference}: ${fault}`]
  })
  const isUnnamed = line.replaceAll(standardSections, '').includes('\u00a7')
  return isUnnamed
    ? [...broken, 'a section number needs its RFC or standard before it, on the same line']
    : broken
}

/** A path of a source, from the root or from a folder that the text names. Names in capitals stand for any name. */
const sourceReference = /(?<![\w/.@{}-])(?:[\w.-]+\/)+[\w.-]+\.(?:ts|vue|mjs)\b/g
const known = filesLike().map((file) => `/${file}`)

/** References to sources that do not exist. */
const deadPaths = (text: string): readonly string[] =>
  [...text.matchAll(sourceReference)]
    .map(([reference]) => reference)
    .filter((reference) => !reference.startsWith('.') && !/\b[A-Z]{4,}\b/.test(reference))
    .filter(
      (reference) => !builtFiles.has(reference) && !known.some((file) => file.endsWith(`/${reference}`)),
    )
    .map((reference) => `${reference}: there is no such source`)

/** Files that a build or a user makes. */
const builtFiles: ReadonlySet<string> = new Set(['clients/svc.mjs'])

const isComment = (line: string): boolean => /^\s*(?:\/?\*|\/\/|<!--)/.test(line)

const faults: string[] = []
for (const source of sources) {
  for (const [index, line] of readFileSync(join(root, source), 'utf8').split('\n').entries()) {
    const found = [...faultsOfLine(line), ...(isComment(line) ? deadPaths(line) : [])]
    faults.push(...found.map((fault) => `${source}:${String(index + 1)}: ${fault}`))
  }
}
for (const page of pages) {
  const dead = deadPaths(readFileSync(join(root, page), 'utf8'))
  faults.push(...dead.map((fault) => `${page}: ${fault}`))
}
for (const page of pages) {
  for (const target of targetsOf(page)) {
    const fault = faultOf(page, target)
    if (fault !== undefined) faults.push(`${page}: ${target}: ${fault}`)
  }
}

// The index of docs/ links to every page.
const index = 'docs/README.md'
const indexed = new Set(targetsOf(index).map((target) => normalize(join('docs', target.split('#')[0] ?? ''))))
for (const page of pages.filter((name) => name.startsWith('docs/') && name !== index)) {
  if (!indexed.has(page)) faults.push(`${index}: no link to ${relative('docs', page)}`)
}

if (faults.length > 0) {
  console.log(faults.join('\n'))
  process.exitCode = 1
} else {
  console.log(
    `links of ${String(pages.length)} pages and ${String(sources.length)} sources: all have targets`,
  )
}
