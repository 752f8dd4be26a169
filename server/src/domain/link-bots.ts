import type { IncomingHttpHeaders } from 'node:http'

// A first version with the final interface.
export const isLinkBot = (userAgent: string | undefined): boolean => /bot|facebookexternalhit|WhatsApp|SkypeUriPreview/i.test(userAgent ?? '')
export const isPrefetch = (headers: IncomingHttpHeaders): boolean => /prefetch/.test(String(headers['sec-purpose'] ?? headers['purpose'] ?? ''))
