import { limits, type Configuration, type ShareX, type Version } from '@svc/contract'
import { describeVersion } from '../../core/describe-version.ts'
import { downloadURL } from '../../domain/download-url.ts'
import { invalidRequest, notReady, routeNotFound } from '../../domain/errors.ts'
import { shareX } from '../../domain/share-x.ts'
import { isAdmin, type Visitor } from '../../domain/visitor.ts'
import { text } from '../answer.ts'
import { applicationBase } from '../base-url.ts'
import type { RequestContext } from '../chain.ts'

export const health = ({ reply }: RequestContext) => text(reply, 'ok')

/** A refusal here is an answer, not a failure: it is not thrown, so that nobody logs it at every look. */
export async function ready({ service, reply }: RequestContext) {
  if (await service.readiness.isReady()) return text(reply, 'ok')
  const { status, headers, message, code } = notReady()
  return reply.code(status).headers(headers).send({ message, code })
}

export function getConfiguration({ service: { config } }: RequestContext): Configuration {
  const url = downloadURL(config)
  const { providers } = config.accounts
  return {
    svcDomain: config.svcDomain,
    downloadDomain: config.downloadDomain,
    ...(url !== undefined && { downloadURL: url }),
    maxFileSize: config.maxFileSize,
    maxUserSize: config.maxUserSize,
    maxTTL: config.maxTTL,
    defaultTTL: config.defaultTTL,
    maxFilePerUpload: config.maxFilePerUpload,
    streamTimeout: config.streamTimeout,
    ...config.features,
    idp1Authentication: providers.idp1 !== null,
    idp2Authentication: providers.idp2 !== null,
    idp3Authentication: providers.idp3 !== null,
    oidcAuthentication: providers.oidc !== null,
    idp1Name: providers.idp1?.name ?? '',
    idp2Name: providers.idp2?.name ?? '',
    idp3Name: providers.idp3?.name ?? '',
    oidcProviderName: providers.oidc?.name ?? 'OpenID',
    abuseContact: config.abuseContact,
  }
}

export const getVersion = ({
  service,
  visitor,
}: RequestContext & { readonly visitor: Visitor }): Promise<Version> =>
  describeVersion(service, { build: isAdmin(visitor) })

/** A quiet zone of two modules is what scanners need at least on a page with a light background. */
const quietModules = 2

export async function getQrCode({ request, reply }: RequestContext) {
  const { url, size = limits.qrCodeDefaultPixels } = request.query as {
    readonly url: string
    readonly size?: number
  }
  // Loaded on use: few instances ever draw one, and all would carry its tables.
  const { default: QRCode } = await import('qrcode')
  const least = leastPixels(() => QRCode.create(url, {}).modules.size)
  if (size < least) throw invalidRequest(`the code of this url needs a size of at least ${String(least)}`)
  // Half a pixel more, which is cut off: otherwise the library's division takes one away from some sizes.
  const image = await QRCode.toBuffer(url, { type: 'png', width: size + 0.5, margin: quietModules })
  return reply.type('image/png').header('cache-control', 'private, max-age=3600').send(image)
}

/** @param modules of each side of a code. @throws ServiceError `invalid_request` when there is no code that large */
function leastPixels(modules: () => number): number {
  try {
    return modules() + 2 * quietModules
  } catch (cause) {
    throw invalidRequest('url is too long for a QR code', cause)
  }
}

export function getShareX({ service, request, reply }: RequestContext): ShareX {
  if (service.config.features.feature_clients === 'disabled') throw routeNotFound('GET', request.url)
  reply.headers({ 'content-disposition': 'attachment', 'cache-control': 'no-cache' })
  return shareX(applicationBase(service, request))
}
