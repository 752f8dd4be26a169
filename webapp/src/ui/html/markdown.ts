import MarkdownIt from 'markdown-it'
import { sanitize } from './safe-html.ts'

const markdown = MarkdownIt({ html: false, linkify: true, breaks: true }).disable('image')
// Only complete addresses become links, because a file name may look like a domain.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })

/**
 * Markdown as HTML. HTML in it is shown as text, and pictures are omitted, because loading them would reveal visitors to their
 * host. The output of the parser is sanitized again.
 */
export const renderMarkdown = (comments: string): string => sanitize(markdown.render(comments))
