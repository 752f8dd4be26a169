/** A user with an account at the provider. */
export interface Person {
  /** The name on the consent page; the login at GitHub, the preferred name in OpenID Connect. */
  readonly login: string
  /** Subject of OpenID Connect; derived from the login by default. */
  readonly subject?: string
  readonly name?: string
  readonly email?: string
  /** True by default. */
  readonly emailVerified?: boolean
  /** GitHub: the profile omits the email address. */
  readonly emailHidden?: boolean
  /** GitHub: the number of the account. */
  readonly number?: number
  /** GitHub. */
  readonly organizations?: readonly string[]
  /** OVHcloud. */
  readonly customerCode?: string
  /** OVHcloud; derived from the login by default. */
  readonly handle?: string
  /** Claims of the id token besides the subject: only the userinfo endpoint has the others. */
  readonly idToken?: Readonly<Record<string, unknown>>
}

export const subjectOf = ({ login, subject = `subject-of-${login}` }: Person): string => subject

/** Standard claims of OpenID Connect (Core §5.1). */
export const claimsOf = (person: Person) => ({
  sub: subjectOf(person),
  preferred_username: person.login,
  name: person.name,
  email: person.email,
  email_verified: person.email === undefined ? undefined : (person.emailVerified ?? true),
})

type Shape = (person: Person, query: URLSearchParams) => unknown

/** The responses of the fixed providers about a user, by path and in their formats. */
export const profileShapes: Readonly<Record<string, Shape>> = {
  '/google/userinfo': (person) => ({
    sub: subjectOf(person),
    name: person.name,
    email: person.email,
    email_verified: person.emailVerified ?? true,
  }),
  '/github/user': ({ login, name = null, email, emailHidden = false, number = 4_711 }) => ({
    login,
    id: number,
    type: 'User',
    name,
    email: emailHidden ? null : (email ?? null),
  }),
  '/github/user/emails': ({ login, email, emailVerified: verified = true }) => [
    { email: `${login}@old.test`, primary: false, verified: true, visibility: null },
    ...(email === undefined ? [] : [{ email, primary: true, verified, visibility: 'private' }]),
  ],
  '/github/user/orgs': ({ organizations = [] }, query) => {
    const size = Math.min(100, Number(query.get('per_page') ?? 30))
    const start = (Number(query.get('page') ?? 1) - 1) * size
    return organizations.slice(start, start + size).map((login, id) => ({ login, id, description: '' }))
  },
  '/ovh/me': ({ login, customerCode, name = '', email, handle = `${login}-ovh` }) => {
    const [firstname = '', ...rest] = name.split(' ')
    return {
      nichandle: handle,
      customerCode,
      email,
      firstname,
      name: rest.join(' '),
      state: 'complete',
    }
  },
}
