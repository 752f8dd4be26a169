import { webClient, type ClientKind } from '@svc/contract'

/** The program that downloads, by the headers `User-Agent` and `X-ClientApp`. A client can send any of them. */
export function clientKind(userAgent = '', clientApp = ''): ClientKind {
  if (clientApp === webClient || userAgent.startsWith('Mozilla/')) return 'browser'
  const [name = ''] = userAgent.split('/', 1)
  switch (name.toLowerCase()) {
    case 'svc':
      return 'svc'
    case 'curl':
      return 'curl'
    case 'wget':
    case 'wget2':
      return 'wget'
    default:
      return 'other'
  }
}
