import DOMPurify from 'dompurify'

const allowedLink = /^(?:https?|mailto):/i

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
    ALLOWED_TAGS: [
      ...['a', 'p', 'br', 'hr', 'span', 'strong', 'b', 'em', 'i', 's', 'del', 'code', 'pre', 'blockquote'],
      ...['ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'small'],
      ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
    ],
    ALLOWED_ATTR: ['href', 'title', 'start', 'lang', 'dir'],
    ALLOWED_URI_REGEXP: allowedLink,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  })
}
