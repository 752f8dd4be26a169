import DOMPurify from 'dompurify'

const allowedLink = /^(?:https?|mailto):/i

const textTags = [
  'a',
  'p',
  'br',
  'hr',
  'span',
  'small',
  'strong',
  'b',
  'em',
  'i',
  's',
  'del',
  'code',
  'pre',
  'blockquote',
]
const headingTags = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const listTags = ['ul', 'ol', 'li']
const tableTags = ['table', 'thead', 'tbody', 'tr', 'th', 'td']

const purifier = DOMPurify()

// Links of users open without a referrer, and search engines ignore them.
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName !== 'A') return
  node.removeAttribute('name')
  if (!allowedLink.test(node.getAttribute('href') ?? '')) {
    node.removeAttribute('href')
    return
  }
  node.setAttribute('rel', 'noopener noreferrer nofollow ugc')
  node.setAttribute('target', '_blank')
})

/**
 * HTML without scripts, external resources and styles: text elements and links to http, https and mailto addresses.
 */
export function sanitize(html: string): string {
  return purifier.sanitize(html, {
    ALLOWED_TAGS: [...textTags, ...headingTags, ...listTags, ...tableTags],
    ALLOWED_ATTR: ['href', 'title', 'start', 'lang', 'dir'],
    ALLOWED_URI_REGEXP: allowedLink,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  })
}
