/** Paths behind the `#` (docs/protocol.md#the-web-application). */
export const paths = {
  home: '/',
  login: '/login',
  cliLogin: '/cli-auth',
  clients: '/clients',
  sent: '/sent',
  request: '/request',
  requests: '/requests',
  myUploads: '/home/uploads',
  myRequests: '/home/requests',
  myTokens: '/home/tokens',
  myNotifications: '/home/notifications',
  myStats: '/home/stats',
  myAccount: '/home/account',
  adminStats: '/admin/stats',
  adminUsers: '/admin/users',
  adminUser: '/admin/user',
  adminUploads: '/admin/uploads',
  adminRequests: '/admin/requests',
} as const

/**
 * Whether a path is that of an area or lies below it.
 * @param area such as `/home`
 */
export const isWithin = (area: string, path: string) => path === area || path.startsWith(`${area}/`)

/** Pages that a login may lead to. */
const returnable: readonly string[] = Object.values(paths).filter((path) => path !== paths.login)

const pathOf = (target: string) => target.replace(/[?#].*$/s, '')

/** Whether an address leads to a page of the application: its path must be exactly one of them. */
const isOwn = (target: string) => returnable.includes(pathOf(target))

/**
 * The target after a login. Anyone can make links to the login page, so only pages of the application are allowed.
 * @param target the part behind `#` of an address of the application
 */
export const safeReturnTo = (target: string | undefined): string =>
  target !== undefined && isOwn(target) ? target : paths.home

/** The login page, with the current page as its target. */
export function loginRoute(fullPath: string) {
  const target = safeReturnTo(fullPath)
  return { path: paths.login, query: target === paths.home ? {} : { next: target } }
}
