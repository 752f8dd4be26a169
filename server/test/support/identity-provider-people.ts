/** Somebody with an account at the provider. */
export interface Person {
  /** What the consent page calls them; their login at GitHub, their preferred name in OpenID Connect. */
  readonly login: string
  /** Subject of OpenID Connect; made of the login unless it is given. */
  readonly subject?: string
  readonly name?: string
  readonly email?: string
  /** True unless it is given. */
  readonly emailVerified?: boolean
  /** GitHub: the profile leaves the e-mail address out. */
  readonly emailHidden?: boolean
  /** GitHub: the number of the account. */
  readonly number?: number
  /** GitHub. */
  readonly organizations?: readonly string[]
  /** OVHcloud. */
  readonly customerCode?: string
  /** OVHcloud; made of the login unless it is given. */
  readonly handle?: string
  /** Claims of the id token beside the subject: all others are told by the userinfo endpoint alone. */
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

/** What the fixed providers answer about a person, by path and in their shapes. */
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
