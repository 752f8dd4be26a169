import { directionOf } from '@svc/contract'
import { escapeHTML } from '../../../domain/text/escape-html.ts'

/** The content of a message. */
export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** What messages of a service have in common. */
export interface MailSetting {
  /** One of the languages with texts. */
  readonly language: string
  /** Address of the web application. */
  readonly serviceURL: string
}

/** A paragraph, its lines, or the lines of a text that is quoted. */
type Part = string | readonly string[] | { readonly quote: readonly string[] }

/** A message before its layout. All texts are plain, and those of users are defanged. */
export interface Outline {
  /** Has no text of users. */
  readonly subject: string
  readonly parts: readonly Part[]
  readonly link: { readonly label: string; readonly url: string }
  /** Why the message was sent. */
  readonly why: string
}

/** Replaces placeholders. A value is never searched for further ones. */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)

export const hostOf = ({ serviceURL }: MailSetting): string => new URL(serviceURL).host

/** @param date RFC 3339 */
export function momentIn(language: string, date: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return `${format.format(new Date(date))} UTC`
}

const escapedLines = (lines: readonly string[]): string => lines.map(escapeHTML).join('<br>\n')

const isQuote = (part: Part): part is { readonly quote: readonly string[] } =>
  typeof part === 'object' && 'quote' in part

const linesOf = (part: Exclude<Part, { readonly quote: readonly string[] }>): readonly string[] =>
  typeof part === 'string' ? [part] : part

const textOf = (part: Part): string =>
  isQuote(part) ? part.quote.map((line) => `> ${line}`).join('\n') : linesOf(part).join('\n')

const htmlOf = (part: Part): string =>
  isQuote(part)
    ? `<blockquote dir="auto" style="margin:0 0 16px;padding-inline-start:12px;border-inline-start:3px solid #8888;overflow-wrap:anywhere">${escapedLines(part.quote)}</blockquote>`
    : `<p style="margin:0 0 16px;overflow-wrap:anywhere">${escapedLines(linesOf(part))}</p>`

/** The one layout of all messages. */
export function layOut({ subject, parts, link, why }: Outline, language: string): MailContent {
  return {
    subject,
    text: `${[...parts.map(textOf), `${link.label}: ${link.url}`, why].join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHTML(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto">
<h1 style="margin:0 0 16px;font-size:20px">${escapeHTML(subject)}</h1>
${parts.map(htmlOf).join('\n')}
<p style="margin:24px 0"><a href="${escapeHTML(link.url)}">${escapeHTML(link.label)}</a></p>
<p style="margin:0;font-size:13px;opacity:.7">${escapeHTML(why)}</p>
</div>
</body>
</html>
`,
  }
}
