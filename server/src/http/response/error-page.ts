import { hash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { chooseLanguage, directionOf, pagePath, type Language } from '@svc/contract'
import type { Service } from '../../core/service.ts'
import type { ServiceError } from '../../domain/errors.ts'
import { acceptedLanguages } from '../../domain/text/accept-language.ts'
import { escapeHTML } from '../../domain/text/escape-html.ts'
import { applicationBase } from '../request/base-url.ts'
import { pathParameter } from '../request/path-parameters.ts'
import { errorPageTexts, type ErrorPageTexts } from './error-page-texts.ts'
import type { FormattedError } from './error-response.ts'
import { everyDocument } from './security-headers.ts'
import { serviceName } from './service-name.ts'

/** The colours, the places and the logo of the web application (webapp/src/styles/tokens.css, app/App.vue, ui/EndPage.vue). */
const style = [
  ':root{color-scheme:light dark;overflow-y:scroll}',
  'body{margin:0;padding:0 1.5rem;color:light-dark(#1a1d1a,#eceee8);',
  'background:light-dark(#f5f4ef,#121412);font:1rem/1.55 system-ui,sans-serif}',
  'header,main{max-width:70rem;margin:0 auto}',
  'header{display:flex;gap:.625rem;align-items:center;min-height:2.75rem;padding:1.5rem 0 1rem;font-size:1.1875rem;font-weight:650}',
  'main{display:grid;gap:1rem;justify-items:start;padding:1rem 0 3.5rem}',
  'h1{margin:0;font-size:clamp(1.6rem,1.2rem + 2.1vw,2.5rem);font-weight:650;line-height:1.15;letter-spacing:-.022em}',
  'p{max-width:38rem;margin:0;color:light-dark(#565c55,#a5aca3)}',
  'h1+p{font-size:1.1875rem;line-height:1.45}',
  'a{padding:.625rem 1.125rem;border-radius:.75rem;color:light-dark(#fff,#04241b);',
  'background:light-dark(#0a6652,#62d2b0);font-weight:560;text-decoration:none}',
  'svg{fill:none;stroke-linecap:round;stroke-linejoin:round}',
  'rect{fill:light-dark(#0a6652,#62d2b0)}',
  'header path{stroke:light-dark(#fff,#04241b);stroke-width:2.5}',
  '.disc{display:grid;place-items:center;width:3rem;height:3rem;border-radius:50%;background:light-dark(#e2f0ea,#15302a)}',
  '.disc path{stroke:light-dark(#0a6652,#62d2b0);stroke-width:1.7}',
  '@media(width<30rem){body{padding:0 1rem}header{padding:1rem 0 .5rem}}',
].join('')

const logo =
  '<svg viewBox="0 0 32 32" width="30" height="30" aria-hidden="true"><rect width="32" height="32" rx="9"/>' +
  '<path d="M16 21V9M10.5 14.5 16 9l5.5 5.5M9 24.5h14"/></svg>'

/** Drawings of webapp/src/ui/icons.ts. */
const signs = {
  clock: 'M12 19.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM12 8v4l2.5 2.5',
  alert: 'M12 5 3.5 19.5h17zM12 10.5v4M12 17.2v.01',
} as const
const disc = (sign: keyof typeof signs) =>
  `<span class="disc"><svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="${signs[sign]}"/></svg></span>`

const policy =
  `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Whether a person has opened the address in a browser. Scripts and programs get errors that they can parse.
 * Browsers without `Sec-Fetch-Mode` prefer HTML; programs usually accept anything.
 */
export function isNavigation({ method, headers }: Pick<FastifyRequest, 'headers' | 'method'>): boolean {
  if (method !== 'GET') return false
  const mode = headers['sec-fetch-mode']
  return mode === undefined ? headers.accept?.startsWith('text/html') === true : mode === 'navigate'
}

const languages = Object.keys(errorPageTexts) as readonly Language[]

interface Words {
  readonly language: Language
  readonly title: string
  readonly sentence: string
  /** Whether there was an upload or a file. */
  readonly isGone: boolean
  readonly texts: ErrorPageTexts
}

/** The words for an error in a language of the visitor. Errors that are not translated are in English. */
function wordsFor({ code, status, message }: ServiceError, accepted: string): Words {
  if (code === 'not_found' || code === 'upload_not_found' || code === 'file_not_found') {
    const language = chooseLanguage(acceptedLanguages(accepted), languages)
    const texts = errorPageTexts[language]
    const isGone = code !== 'not_found'
    const title = isGone ? texts.gone : texts.missing
    return { language, title, sentence: texts.sentences[code], isGone, texts }
  }
  // Messages begin without a capital letter and end without a period.
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
  const title = `${String(status)} ${STATUS_CODES[status] ?? ''}`.trimEnd()
  return { language: 'en', title, sentence, isGone: false, texts: errorPageTexts.en }
}

/**
 * An error of a download or of an unknown address as a page: what is wrong, with a link to the page of the upload, or to the
 * start if there is no such upload.
 */
export function errorPage(
  service: Pick<Service, 'config' | 'isTrustedProxy'>,
  request: FastifyRequest,
  error: ServiceError,
): FormattedError {
  const upload = pathParameter(request, 'uploadID')
  const base = applicationBase(service, request)
  const { language, title, sentence, isGone, texts } = wordsFor(
    error,
    request.headers['accept-language'] ?? '',
  )
  const [link, words] =
    error.code === 'upload_not_found' || upload === ''
      ? [base, texts.start]
      : [base.slice(0, -1) + pagePath(encodeURIComponent(upload)), texts.open]
  return {
    type: 'text/html; charset=utf-8',
    headers: { ...everyDocument, 'content-security-policy': policy },
    body: `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
<header>${logo}${escapeHTML(serviceName(service.config))}</header>
<main>
${disc(isGone ? 'clock' : 'alert')}
<h1>${title}</h1>
<p>${escapeHTML(sentence)}</p>${isGone ? `\n<p>${texts.askSender}</p>` : ''}
<a href="${escapeHTML(link)}">${words}</a>
</main>
</html>
`,
  }
}
