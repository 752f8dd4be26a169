/** The user with which Swift signs in to Keystone. */
export const serviceUser = { name: 'swift', password: 'swiftpw', project: 'service' }

interface Login {
  readonly user: string
  readonly password: string
  readonly domain: string
  readonly project: string
  readonly region: string
}

type Json = Readonly<Record<string, unknown>>
type Call = (method: string, path: string, body?: Json) => Promise<string>

/**
 * Fills a new Keystone: a user for Swift, one that may store objects, and an address of Swift in each of two regions, of
 * which only the second is right.
 */
export async function seedKeystone(authURL: string, swiftURL: string): Promise<Login> {
  const token = await signIn(authURL)
  const call: Call = async (method, path, body) => {
    const response = await fetch(`${authURL}${path}`, {
      method,
      headers: { 'x-auth-token': token, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${String(response.status)} ${text}`)
    return text
  }
  const make = async (kind: string, entry: Json): Promise<string> =>
    idOf(await call('POST', `/${kind}s`, { [kind]: entry }), kind)
  const findRole = async (name: string) => {
    const { roles } = JSON.parse(await call('GET', `/roles?name=${name}`)) as { roles: { id: string }[] }
    return roles[0]?.id
  }
  const roleOf = async (name: string) => {
    const id = await findRole(name)
    if (id === undefined) throw new Error(`Keystone knows no role ${name}`)
    return id
  }
  const newUser = async ({ name, password, project }: typeof serviceUser, roles: readonly string[]) => {
    const projectId = await make('project', { name: project, domain_id: 'default' })
    const id = await make('user', { name, password, domain_id: 'default' })
    for (const role of roles) await call('PUT', `/projects/${projectId}/users/${id}/roles/${role}`)
  }

  // Checking the keys of S3 requires the role `service`, which an old Keystone does not create.
  const serviceRole = (await findRole('service')) ?? (await make('role', { name: 'service' }))
  await newUser(serviceUser, [await roleOf('admin'), serviceRole])
  await newUser({ name: 'tester', password: 'testing', project: 'demo' }, [await roleOf('member')])
  const service = await make('service', { type: 'object-store', name: 'swift' })
  await make('region', { id: 'RegionTwo' })
  for (const [region, url] of [
    ['RegionOne', 'http://127.0.0.1:9/v1/AUTH_%(tenant_id)s'],
    ['RegionTwo', `${swiftURL}/v1/AUTH_%(tenant_id)s`],
  ]) {
    await make('endpoint', { service_id: service, interface: 'public', region_id: region, url })
  }
  return { user: 'tester', password: 'testing', domain: 'Default', project: 'demo', region: 'RegionTwo' }
}

async function signIn(authURL: string): Promise<string> {
  const domain = { id: 'default' }
  const user = { name: 'admin', password: 'adminpw', domain }
  const response = await fetch(`${authURL}/auth/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      auth: {
        identity: { methods: ['password'], password: { user } },
        scope: { project: { name: 'admin', domain } },
      },
    }),
  })
  const token = response.headers.get('x-subject-token')
  if (token === null) throw new Error(`Keystone refuses the login: ${await response.text()}`)
  return token
}

function idOf(json: string, kind: string): string {
  const entry = (JSON.parse(json) as Readonly<Record<string, { id: string }>>)[kind]
  if (entry === undefined) throw new Error(`Keystone made no ${kind}: ${json}`)
  return entry.id
}
