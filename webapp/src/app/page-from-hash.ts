import { isWithin, paths } from '../base/paths.ts'

export type PageName =
  | 'upload'
  | 'download'
  | 'login'
  | 'cliLogin'
  | 'clients'
  | 'sent'
  | 'request'
  | 'requests'
  | 'personal'
  | 'admin'

/**
 * The page that an address opens, before the router has started (docs/protocol.md#the-web-application).
 * @param hash the fragment of the address, with its `#`
 */
export function pageFromHash(hash: string): PageName {
  const [path = ''] = hash.slice(1).split('?')
  if (path === paths.login) return 'login'
  if (path === paths.cliLogin) return 'cliLogin'
  if (path === paths.clients) return 'clients'
  if (path === paths.sent) return 'sent'
  if (path === paths.request) return 'request'
  if (path === paths.requests) return 'requests'
  if (isWithin('/home', path)) return 'personal'
  if (isWithin('/admin', path)) return 'admin'
  return /[?&]id=/.test(hash) ? 'download' : 'upload'
}
