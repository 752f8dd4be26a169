import { hash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { pagePath } from '@svc/contract'
import type { Service } from '../../core/service.ts'
import type { ServiceError } from '../../domain/errors.ts'
import { escapeHTML } from '../../domain/text/escape-html.ts'
import { applicationBase } from '../request/base-url.ts'
import { pathParameter } from '../request/path-parameters.ts'
import type { FormattedError } from './error-response.ts'
import { everyDocument } from './security-headers.ts'

const style =
  'body{max-width:34rem;margin:15vh auto 0;padding:0 1rem;font:1.05rem/1.5 system-ui,sans-serif}h1{font-size:1.5rem}'

const policy =
  `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Whether a person has opened the address of a download in a browser. Scripts and programs get errors that they can parse.
 * Browsers without `Sec-Fetch-Mode` prefer HTML; programs usually accept anything.
 */
export function isNavigation({ method, headers }: Pick<FastifyRequest, 'headers' | 'method'>): boolean {
  if (method !== 'GET') return false
  const mode = headers['sec-fetch-mode']
  return mode === undefined ? headers.accept?.startsWith('text/html') === true : mode === 'navigate'
}

/**
 * An error of a download as a page: what is wrong, with a link to the page of the upload, or to the start if there is no such upload.
 */
export function errorPage(
  service: Pick<Service, 'config' | 'isTrustedProxy'>,
  request: FastifyRequest,
  error: ServiceError,
): FormattedError {
  const upload = pathParameter(request, 'uploadID')
  const base = applicationBase(service, request)
  const [link, words] =
    error.code === 'upload_not_found' || upload === ''
      ? [base, 'To the start page']
      : [base.slice(0, -1) + pagePath(encodeURIComponent(upload)), 'Open the page of the upload']
  const title = `${String(error.status)} ${STATUS_CODES[error.status] ?? ''}`.trimEnd()
  return {
    type: 'text/html; charset=utf-8',
    headers: { ...everyDocument, 'content-security-policy': policy },
    body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
<h1>${title}</h1>
<p>${escapeHTML(sentenceOf(error))}</p>
<p><a href="${escapeHTML(link)}">${words}</a></p>
</html>
`,
  }
}

/** Messages begin without a capital letter and end without a period. */
const sentenceOf = ({ message }: ServiceError): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
