import { limits, type Configuration, type ShareX, type Version } from '@svc/contract'
import type { Config } from '../../config/config.ts'
import { describeVersion } from '../../core/status/describe-version.ts'
import { networkOf } from '../../domain/access/addresses.ts'
import type { BudgetKey } from '../../domain/access/budget-key.ts'
import { downloadURL } from '../../domain/download-url.ts'
import { invalidRequest, notReady } from '../../domain/errors.ts'
import { routeNotFound } from '../../domain/not-found-errors.ts'
import { mayAdminister } from '../../domain/access/account-access.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { plainText } from '../response/reply.ts'
import { applicationBase } from '../request/base-url.ts'
import type { RequestContext } from '../steps/chain.ts'
import { shareX } from './share-x.ts'

type AddressedContext = RequestContext & { readonly address: string; readonly budgetKey: BudgetKey | null }

export const health = ({ reply }: RequestContext) => plainText(reply, 'ok')

/** "Not ready" is a result, not a failure: it is not thrown, so that polling does not fill the log. */
export async function ready({ service, reply }: RequestContext) {
  const report = await service.readiness.report()
  if (report !== null) return plainText(reply, report)
  const { status, headers, message, code } = notReady()
  return reply.code(status).headers(headers).send({ message, code })
}

/** The serialized configuration, which never changes. */
const configurations = new WeakMap<Config, string>()

export function getConfiguration({ service: { config }, reply }: RequestContext): string {
  let text = configurations.get(config)
  if (text === undefined) configurations.set(config, (text = JSON.stringify(describeConfiguration(config))))
  void reply.type('application/json; charset=utf-8')
  return text
}

function describeConfiguration(config: Config): Configuration {
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
  principal,
}: RequestContext & { readonly principal: Principal }): Promise<Version> =>
  describeVersion(service, { build: mayAdminister(principal) })

export async function getQrCode({ service, request, reply, address, budgetKey }: AddressedContext) {
  const { url, size = limits.qrCodeDefaultPixels } = request.query as {
    readonly url: string
    readonly size?: number
  }
  service.budgets.spend(budgetKey, 'qrCodes')
  const code = await service.qrCodes.draw({ url, size }, networkOf(address))
  switch (code.kind) {
    case 'too long':
      throw invalidRequest('url is too long for a QR code')
    case 'too small':
      throw invalidRequest(`the code of this url needs a size of at least ${String(code.minPixels)}`)
    case 'drawn':
      return reply.type('image/png').header('cache-control', 'private, max-age=3600').send(code.image)
  }
}

export function getShareX({ service, request, reply }: RequestContext): ShareX {
  if (service.config.features.feature_clients === 'disabled') throw routeNotFound('GET', request.url)
  reply.headers({ 'content-disposition': 'attachment', 'cache-control': 'no-cache' })
  return shareX(applicationBase(service, request))
}
