import MarkdownIt, { type Token } from 'markdown-it'
import { sanitize } from './safe-html.ts'

const markdown = MarkdownIt({ html: false, linkify: true, breaks: true }).disable('image')
// Only complete addresses become links, because a file name may look like a domain.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })

/** Characters. Parsing takes time in proportion, and so does a long paragraph. */
const maxLength = 300_000

/** Maximum tokens, about half of which become elements: to sanitize and lay them out blocks the page for about a second. */
const maxTokens = 15_000

/** Tokens that are a whole block, whose box takes as long as several elements. */
const blocks = new Set(['fence', 'code_block', 'hr'])
const blockCost = 5

const countTokens = (tokens: readonly Token[]) =>
  tokens.reduce(
    (sum, { type, children }) => sum + (blocks.has(type) ? blockCost : 1) + (children?.length ?? 0),
    0,
  )

/**
 * Markdown as HTML, or undefined if it would block the page. HTML in it is shown as text, and pictures are omitted, because
 * loading them would reveal visitors to their host. The output of the parser is sanitized again.
 */
export function renderMarkdown(text: string): string | undefined {
  if (text.length > maxLength) return undefined
  const env = {}
  const tokens = markdown.parse(text, env)
  if (countTokens(tokens) > maxTokens) return undefined
  return sanitize(markdown.renderer.render(tokens, markdown.options, env))
}
