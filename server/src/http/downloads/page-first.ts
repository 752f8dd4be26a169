import { headers as names, webClient } from '@svc/contract'
import type { FastifyRequest } from 'fastify'
import type { UploadRecord } from '../../domain/records.ts'

/** A navigation that did not start on our own pages: a link that was followed, or an address that was typed. */
const fromElsewhere: readonly unknown[] = ['none', 'cross-site']

/**
 * Whether a download is answered with the way to the upload's page instead of the bytes:
 * - the web application asks for an encrypted file, which it must decrypt itself (specification §4, rule 4);
 * - a browser follows a link to what can be downloaded once. Scanners of mail and chats follow links with real
 *   browsers, so that a person decides on the page; the page's own links carry `dl`.
 */
export function showPageFirst({ headers, query }: FastifyRequest, upload: UploadRecord): boolean {
  if (upload.e2ee !== '' && headers[names.clientApp] === webClient) return true
  const once = upload.oneShot === 1 || upload.stream === 1
  if (!once || (query as { readonly dl?: string }).dl !== undefined) return false
  return headers['sec-fetch-mode'] === 'navigate' && fromElsewhere.includes(headers['sec-fetch-site'])
}
