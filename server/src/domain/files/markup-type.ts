import { matchAt } from '../text/match-at.ts'

/** Elements that browsers recognise as the start of an HTML page (WHATWG MIME Sniffing §7.1), and two more. */
const htmlElements: ReadonlySet<string> = new Set(
  'html head script iframe h1 div font table a style title b body br p meta link'.split(' '),
)

const space = /[\t\n\f\r ]*/y
const elementName = /<([a-z_][\w.:-]*)(?=[\s/>]|$)/iy
const doctypeName = /<!doctype\s+([a-z_][\w.:-]*)/iy

const withoutPrefix = (name: string) => name.toLowerCase().replace(/^[^:]*:/, '')

/** The type for the name of a root element or a document type. */
function typeOfName(name: string): string | null {
  const local = withoutPrefix(name)
  if (local === 'svg') return 'image/svg+xml'
  return htmlElements.has(local) ? 'text/html' : null
}

/**
 * The type for the first element. An unknown element is XML when the document declares so, or its tag declares a
 * namespace.
 */
function typeOfElement(text: string, at: number, declared: boolean): string | null {
  const name = matchAt(elementName, text, at)?.[1]
  if (name === undefined) return declared ? 'application/xml' : null
  const known = typeOfName(name)
  if (known !== null) return known
  const tag = text.slice(at).split('>', 1)[0] ?? ''
  return declared || /\sxmlns(?::[\w.-]+)?\s*=/.test(tag) ? 'application/xml' : null
}

/**
 * The media type of a text that begins like markup. Declarations, comments and the document type before the first
 * element are skipped, as browsers and XML parsers do.
 * @param text the start of a text, without byte order mark
 * @returns `text/html`, `image/svg+xml`, `application/xml`, or null for other text
 */
export function markupType(text: string): string | null {
  let at = 0
  let declared = false
  for (;;) {
    at += matchAt(space, text, at)?.[0].length ?? 0
    const comment = text.startsWith('<!--', at)
    if (!comment && !text.startsWith('<?', at)) break
    declared ||= /^<\?xml[\s?]/i.test(text.slice(at, at + 6))
    const end = text.indexOf(comment ? '-->' : '?>', at)
    // An unclosed comment may hide anything after it, and browsers treat it as a page.
    if (end === -1) return declared ? 'application/xml' : comment ? 'text/html' : null
    at = end + (comment ? 3 : 2)
  }
  const doctype = matchAt(doctypeName, text, at)?.[1]
  if (doctype !== undefined) return typeOfName(doctype) ?? 'application/xml'
  return typeOfElement(text, at, declared)
}
