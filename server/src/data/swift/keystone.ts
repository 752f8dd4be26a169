import * as Type from 'typebox'
import { Value } from 'typebox/value'
import { StoreUnavailableError } from '../backend/backend.ts'
import type { StoreClient } from '../network/client.ts'
import { expectStatus, jsonOf } from '../network/store-error.ts'
import type { SwiftAccess, SwiftCredentials } from './access.ts'

/** What of Keystone's answer is used (Identity API v3, "Password authentication with scoped authorization"). */
const Answer = Type.Object({
  token: Type.Object({
    issued_at: Type.String(),
    expires_at: Type.String(),
    catalog: Type.Array(
      Type.Object({
        type: Type.String(),
        endpoints: Type.Array(
          Type.Object({
            interface: Type.String(),
            region: Type.Optional(Type.Union([Type.String(), Type.Null()])),
            url: Type.String(),
          }),
        ),
      }),
    ),
  }),
})

const about = 'signing in to Keystone'

/** Version 3: a password for a token and a catalogue of services. @throws StoreUnavailableError */
export async function signInWithKeystone(
  client: StoreClient,
  credentials: SwiftCredentials,
): Promise<SwiftAccess> {
  const answer = await client({
    method: 'POST',
    url: `${credentials.authURL}/auth/tokens`,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(question(credentials))),
  })
  const said = jsonOf(about, await expectStatus(about, answer, 201, 200))
  const token = answer.headers['x-subject-token']
  if (!Value.Check(Answer, said) || typeof token !== 'string')
    throw new StoreUnavailableError(`${about} gave no token and catalogue: is AuthURL right?`)
  const { issued_at: issued, expires_at: expires, catalog } = said.token
  const endpoints = catalog
    .filter(({ type }) => type === 'object-store')
    .flatMap((service) => service.endpoints)
    .filter((endpoint) => endpoint.interface === 'public')
  const { region } = credentials
  const found = endpoints.find((endpoint) => region === '' || endpoint.region === region)
  if (found === undefined) {
    const regions = endpoints.map((endpoint) => String(endpoint.region)).join(', ')
    throw new StoreUnavailableError(
      `Keystone knows no public object store in the region ${region}, but in: ${regions}`,
    )
  }
  // By its clock, whatever ours says.
  const lifetime = Date.parse(expires) - Date.parse(issued)
  return { token, storageURL: found.url.replace(/\/+$/, ''), ...(lifetime > 0 && { lifetime }) }
}

function question({ userName, apiKey, domain, project }: SwiftCredentials) {
  const password = { user: { name: userName, domain: { name: domain }, password: apiKey } }
  return {
    auth: {
      identity: { methods: ['password'], password },
      scope: { project: { name: project, domain: { name: domain } } },
    },
  }
}
