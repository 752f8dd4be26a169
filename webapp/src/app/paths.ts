/** Paths behind the `#` (specification §4, "Static content"). */
export const paths = { home: '/', login: '/login', cliLogin: '/cli-auth', clients: '/clients' } as const

/** Pages that one may be taken to after logging in. */
const returnable: readonly string[] = [paths.home, paths.cliLogin, paths.clients]

const pathOf = (target: string) => target.replace(/[?#].*$/s, '')

/** Whether an address leads to one of our pages and nowhere else: its path has to be one of them to the letter. */
const isOwn = (target: string) => returnable.includes(pathOf(target))

/**
 * Where to go after logging in. Links to the login page can be made by anybody, so that only own pages are gone to.
 * @param wish what stands behind `#` in the address of a page of this application
 */
export const returnTarget = (wish: string | undefined): string =>
  wish !== undefined && isOwn(wish) ? wish : paths.home

/** The login page, to come back from to where one is. */
export function loginFrom(fullPath: string) {
  const target = returnTarget(fullPath)
  return { path: paths.login, query: target === paths.home ? {} : { next: target } }
}
