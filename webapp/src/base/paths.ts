/** Paths behind the `#` (docs/protocol.md#the-web-application). */
export const paths = {
  home: '/',
  login: '/login',
  cliLogin: '/cli-auth',
  clients: '/clients',
  myUploads: '/home/uploads',
  myTokens: '/home/tokens',
  myStats: '/home/stats',
  myAccount: '/home/account',
  adminStats: '/admin/stats',
  adminUsers: '/admin/users',
  adminUser: '/admin/user',
  adminUploads: '/admin/uploads',
} as const

/** Whether a path is that of an area or lies below it. @param area such as `/home` */
export const isWithin = (area: string, path: string) => path === area || path.startsWith(`${area}/`)

/** Pages that one may be taken to after logging in. */
const returnable: readonly string[] = Object.values(paths).filter((path) => path !== paths.login)

const pathOf = (target: string) => target.replace(/[?#].*$/s, '')

/** Whether an address leads to one of our pages and nowhere else: its path has to be one of them to the letter. */
const isOwn = (target: string) => returnable.includes(pathOf(target))

/**
 * Where to go after logging in. Links to the login page can be made by anybody, so that only own pages are gone to.
 * @param wish what stands behind `#` in the address of a page of this application
 */
export const safeReturnTo = (wish: string | undefined): string =>
  wish !== undefined && isOwn(wish) ? wish : paths.home

/** The login page, to come back from to where one is. */
export function loginRoute(fullPath: string) {
  const target = safeReturnTo(fullPath)
  return { path: paths.login, query: target === paths.home ? {} : { next: target } }
}
