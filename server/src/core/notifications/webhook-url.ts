import { isIP } from 'node:net'
import { limits } from '@svc/contract'
import type { NotificationsConfig } from '../../config/notification-config.ts'
import { hostIn } from '../../domain/access/addresses.ts'
import { invalidRequest } from '../../domain/errors.ts'
import { addressRule } from '../../outgoing/public-address.ts'

/** Ports up to here are those of other services, such as mail servers: a request there could be taken for their protocol. */
const reservedPorts = 1023

/** Whether the port of an address is that of its protocol, or one that is free for servers of users. */
const isUsualPort = ({ port }: URL): boolean =>
  port === '' || ['80', '443'].includes(port) || Number(port) > reservedPorts

/**
 * Refuses addresses to which the service never connects. Names are resolved for each message only, so that no response shows
 * which names exist.
 * @returns the address in its canonical form
 * @throws ServiceError `invalid_request`
 */
export function checkedURL(
  { config }: { readonly config: { readonly notifications: Pick<NotificationsConfig, 'privateNetworks'> } },
  text: string,
): string {
  const url = webhookURL(text)
  if (!isOnAllowedNetwork(url, config.notifications))
    throw invalidRequest('url is on a network that this server does not allow')
  if (!isUsualPort(url)) throw invalidRequest('the port of url must be 80, 443 or above 1023')
  return url.href
}

/**
 * The address of a webhook, whose network is not checked.
 * @throws ServiceError `invalid_request`
 */
export function webhookURL(text: string): URL {
  // The parser leaves some of them out.
  if (/\p{Cc}/u.test(text)) throw invalidRequest('url must not contain control characters')
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw invalidRequest('url must be an https or http address')
  if (url.username !== '' || url.password !== '')
    throw invalidRequest('url must not contain a login or a password: the signature identifies this server')
  url.hash = ''
  if (url.href.length > limits.webhookURLLength) throw invalidRequest('url is too long')
  return url
}

/** False for the number of a network that this server does not allow. */
export function isOnAllowedNetwork(
  url: URL,
  { privateNetworks }: Pick<NotificationsConfig, 'privateNetworks'>,
): boolean {
  const host = hostIn(url)
  return isIP(host) === 0 || addressRule(privateNetworks)(host)
}
