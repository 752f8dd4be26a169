import { withoutSlash } from '@svc/contract'
import * as Type from 'typebox'
import { Value } from 'typebox/value'
import { StoreUnavailableError } from '../backend/backend.ts'
import type { StoreClient, StoreResponse } from '../network/client.ts'
import { parseJsonResponse } from '../network/store-error.ts'
import type { SwiftAccess, SwiftCredentials } from './access.ts'
import { isElsewhere, readSignIn } from './sign-in-response.ts'

/** The used part of Keystone's response (Identity API v3, "Password authentication with scoped authorization"). */
const TokenResponse = Type.Object({
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

const action = 'signing in to Keystone'

const advice = {
  denied: 'check UserName, ApiKey, Project and Domain of DataBackendConfig',
  notFound: 'DataBackendConfig.AuthURL should end with /v3',
}

/**
 * Version 3: a password for a token and a catalogue of services.
 * @throws StoreUnavailableError
 */
export async function signInWithKeystone(
  client: StoreClient,
  credentials: SwiftCredentials,
): Promise<SwiftAccess> {
  const response = await requestToken(client, credentials)
  const body = parseJsonResponse(action, await readSignIn(action, response, advice))
  const token = response.headers['x-subject-token']
  if (!Value.Check(TokenResponse, body) || typeof token !== 'string')
    throw new StoreUnavailableError(`${action} gave no token and catalogue: is AuthURL right?`)
  const { issued_at: issued, expires_at: expires, catalog } = body.token
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
  // Computed from Keystone's clock alone.
  const lifetime = Date.parse(expires) - Date.parse(issued)
  return { token, storageURL: withoutSlash(found.url), ...(lifetime > 0 && { lifetime }) }
}

/** Files of settings for OpenStack often have the address without its version. */
async function requestToken(client: StoreClient, credentials: SwiftCredentials): Promise<StoreResponse> {
  const post = (url: string) =>
    client({
      method: 'POST',
      url: `${url}/auth/tokens`,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(requestBody(credentials))),
    })
  const { authURL } = credentials
  const response = await post(authURL)
  if (!isElsewhere(response.status) || /\/v\d[^/]*$/.test(authURL)) return response
  response.destroy()
  return post(`${authURL}/v3`)
}

function requestBody({ userName, apiKey, domain, project }: SwiftCredentials) {
  const password = { user: { name: userName, domain: { name: domain }, password: apiKey } }
  return {
    auth: {
      identity: { methods: ['password'], password },
      scope: { project: { name: project, domain: { name: domain } } },
    },
  }
}
