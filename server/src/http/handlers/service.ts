import { limits, type Configuration, type Version } from '@svc/contract'
import { describeVersion } from '../../core/describe-version.ts'
import { downloadURL } from '../../domain/download-url.ts'
import { text } from '../answer.ts'
import type { RequestContext } from '../chain.ts'

export const health = ({ reply }: RequestContext) => text(reply, 'ok')

export function getConfiguration({ service: { config } }: RequestContext): Configuration {
  const url = downloadURL(config)
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
    idp1Authentication: false,
    idp2Authentication: false,
    idp3Authentication: false,
    oidcAuthentication: false,
    oidcProviderName: 'OpenID',
    abuseContact: config.abuseContact,
  }
}

export const getVersion = ({ service }: RequestContext): Promise<Version> =>
  describeVersion(service.config.changelogDirectory)

/** A quiet zone of two modules is what scanners need at least on a page with a light background. */
const quietModules = 2

export async function getQrCode({ request, reply }: RequestContext) {
  const { url, size = limits.qrCodeDefaultPixels } = request.query as {
    readonly url: string
    readonly size?: number
  }
  // Loaded on use: few instances ever draw one, and all would carry its tables.
  const { default: QRCode } = await import('qrcode')
  const image = await QRCode.toBuffer(url, { type: 'png', width: size, margin: quietModules })
  return reply.type('image/png').header('cache-control', 'private, max-age=3600').send(image)
}
