import { headers as names, pagePath, webClient } from '@svc/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Service } from '../../core/service.ts'
import { isLimited } from '../../domain/limits/download-limit.ts'
import type { UploadRecord } from '../../domain/records.ts'

/** A navigation from outside the web application: a link on another site, or a typed URL. */
const externalSites: readonly unknown[] = ['none', 'cross-site']

/**
 * Whether a download redirects to the upload's page instead of sending the bytes:
 * - the web application requests an encrypted file, which it must decrypt (docs/protocol.md#downloading);
 * - a browser follows a link to a file with a download limit or a stream. Scanners of mail and chats follow links with real
 * browsers, so a person has to decide on the page. The links of the page have `dl`.
 */
export function showPageFirst({ headers, query }: FastifyRequest, upload: UploadRecord): boolean {
  if (upload.e2ee !== '' && headers[names.clientApp] === webClient) return true
  const isCounted = isLimited(upload) || upload.stream === 1
  if (!isCounted || (query as { readonly dl?: string }).dl !== undefined) return false
  return headers['sec-fetch-mode'] === 'navigate' && externalSites.includes(headers['sec-fetch-site'])
}

/** Only browsers get this redirect, so no cache may repeat it. */
export const redirectToPage = (
  { config }: Pick<Service, 'config'>,
  reply: FastifyReply,
  upload: UploadRecord,
) => reply.header('cache-control', 'no-store').redirect(config.path + pagePath(upload.id), 302)
