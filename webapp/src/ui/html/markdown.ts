import MarkdownIt from 'markdown-it'
import { sanitize } from './safe-html.ts'

const markdown = MarkdownIt({ html: false, linkify: true, breaks: true }).disable('image')
// What looks like a file name must not become a link to a domain: only written-out addresses do.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })

/**
 * Comments as HTML. HTML in them is text, pictures are not shown (they would tell their host of every visitor),
 * and the output of the parser is sanitized again.
 */
export const renderMarkdown = (comments: string): string => sanitize(markdown.render(comments))
