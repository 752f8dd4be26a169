import { hash } from 'node:crypto'
import { pagePath } from '@svc/contract'
import { noPreview, previewOf, type LinkPreview } from '../../core/uploads/link-preview.ts'
import { loadUpload } from '../../core/uploads/load-upload.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Service } from '../../core/service.ts'
import { applicationBase } from '../request/base-url.ts'
import { pathParameter } from '../request/path-parameters.ts'
import { escapeHTML } from '../../domain/text/escape-html.ts'
import { everyDocument } from '../response/security-headers.ts'
import { serviceName } from '../response/service-name.ts'
import type { RequestContext } from '../steps/chain.ts'

/** Adds the key of encrypted files (`#key=…`), which no server sees. */
const script = 'location.replace(document.links[0].href + location.hash)'

const scriptHash = hash('sha256', script, 'base64')
const policy =
  `default-src 'none'; script-src 'sha256-${scriptHash}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * A document that redirects people to the page of an upload, and describes the upload for programs that show previews of
 * links. It counts as no download.
 */
export async function previewLink({ service, request, reply }: RequestContext): Promise<string> {
  const segment = pathParameter(request, 'uploadID')
  const { id, preview } = await findPreview(service, segment)
  // The page explains to people why there is nothing.
  if (preview === null) void reply.code(404)
  void reply
    .headers({ ...everyDocument, 'content-security-policy': policy, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
  return documentOf(preview ?? noPreview, {
    id,
    segment,
    base: applicationBase(service, request),
    path: service.config.path,
    serviceName: serviceName(service.config),
  })
}

/**
 * @param segment segment of the URL
 * @returns the id of the upload, or the segment if there is no such upload
 */
async function findPreview(
  service: Service,
  segment: string,
): Promise<{ readonly id: string; readonly preview: LinkPreview | null }> {
  try {
    const upload = await loadUpload(service, segment)
    // The link of a received upload is not enough to see it.
    const preview = upload.requestId === null ? await previewOf(service, upload) : null
    return { id: upload.id, preview }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'upload_not_found')
      return { id: segment, preview: null }
    throw error
  }
}

interface DocumentOptions {
  /** Of any content. */
  readonly id: string
  /** As in the URL: of any content. */
  readonly segment: string
  /** URL of the web application, with a trailing slash. */
  readonly base: string
  /** Path prefix of the service. */
  readonly path: string
  readonly serviceName: string
}

function documentOf(
  { title, description }: LinkPreview,
  { id, segment, base, path, serviceName }: DocumentOptions,
): string {
  const page = path + pagePath(encodeURIComponent(id))
  const tags = {
    'og:type': 'website',
    'og:site_name': serviceName,
    'og:title': title,
    'og:description': description,
    'og:url': `${base}s/${encodeURIComponent(segment)}`,
    'og:image': `${base}icon-512.png`,
    'twitter:card': 'summary',
    'twitter:title': title,
    'twitter:description': description,
  }
  const metas = Object.entries(tags).map(
    ([name, content]) =>
      `<meta ${name.startsWith('og:') ? 'property' : 'name'}="${name}" content="${escapeHTML(content)}">`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${escapeHTML(title)} – ${escapeHTML(serviceName)}</title>
${metas.join('\n')}
<noscript><meta http-equiv="refresh" content="0; url=${escapeHTML(page)}"></noscript>
<a href="${escapeHTML(page)}">${escapeHTML(description)}</a>
<script>${script}</script>
</html>
`
}
