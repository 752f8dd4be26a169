import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../setup/runtime.mjs'

/** The files that are pages, from the root of the checkout; a link to another file becomes plain text. */
const pages = /^(?:docs\/.*|(?:sdk|encryption|server|cli|webapp|e2e)\/README|[A-Z]+)\.md$/

interface Section {
  readonly text: string
  readonly items: { readonly text: string; readonly link: string }[]
}

/** Sections and pages as the index of the documentation lists them, so that they are stated once. */
export function sidebar(): readonly Section[] {
  const sections: Section[] = []
  for (const line of readFileSync(join(root, 'docs/README.md'), 'utf8').split('\n')) {
    const heading = /^## (.+)$/.exec(line)?.[1]
    if (heading !== undefined) sections.push({ text: heading, items: [] })
    const [, text, target] = /^- \[([^\]]+)\]\(([^)#]+\.md)\)/.exec(line) ?? []
    if (text !== undefined && target !== undefined)
      sections.at(-1)?.items.push({ text, link: linkOf(join('docs', target)) })
  }
  return sections.filter(({ items }) => items.length > 0)
}

/** The address of a page, without the domain. */
const linkOf = (path: string) => `/${path}`.replace(/(?:(\/)README)?\.md$/, '$1')

/** A token of markdown-it. */
interface Token {
  type: string
  content: string
  readonly children: readonly Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

/**
 * Hides the links to files that are not pages, and names the pages of folders as the site does.
 * @param page its path from the root of the checkout
 */
export function adaptLinks(tokens: readonly Token[], page: string): void {
  for (const { children } of tokens) {
    let isHidden = false
    for (const token of children ?? []) {
      if (token.type === 'link_open') {
        const target = token.attrGet('href') ?? ''
        const path = join(dirname(page), target.replace(/#.*$/, ''))
        isHidden = !/^(?:[a-z]+:|#|$)/.test(target) && !pages.test(path)
        token.attrSet('href', target.replace(/README\.md(?=#|$)/, 'index.md'))
      }
      if (!isHidden || !/^link_(?:open|close)$/.test(token.type)) continue
      token.type = 'text'
      token.content = ''
    }
  }
}
