import type { Config, Features } from '../../src/config/config.ts'
import type { OAuthApplication } from '../../src/config/account-config.ts'
import { accountsConfig, root, signIn } from '../support/accounts.ts'
import { ask, jsonIn } from '../support/ask.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../support/test-server.ts'
import type { Block, ServerName } from './block.ts'
import { createAndDeleteUser, createUsers } from './users.ts'
import type { FullScene } from './requests.ts'
import { stageUpload, type Kind } from './uploads.ts'

/** A provider without a server: most logins begin without a request to it. */
const application: OAuthApplication = {
  clientID: 'client',
  clientSecret: 'canary-client-secret',
  name: 'Provider',
  authURL: 'http://127.0.0.1:9/consent',
  tokenURL: 'http://127.0.0.1:9/token',
  userInfoURL: 'http://127.0.0.1:9/me',
  scopes: 'email',
}
const providers: Config['accounts']['providers'] = {
  idp1: { ...application, validDomains: [] },
  idp2: { ...application, validOrganizations: [] },
  idp3: application,
  oidc: { ...application, providerURL: 'http://127.0.0.1:9', validDomains: [], requireVerifiedEmail: false },
}

/**
 * The differences between the servers. All share one database, so that each knows the accounts of the others.
 */
const settings: Readonly<
  Record<ServerName, { readonly features?: Partial<Features>; readonly config?: Partial<Config> }>
> = {
  accounts: {},
  forced: { features: { feature_authentication: 'forced' } },
  whitelist: { config: { uploadWhitelist: ['192.0.2.0/24'] } },
  'no authentication': { features: { feature_authentication: 'disabled' } },
  'no tokens': { features: { feature_api_tokens: 'disabled' } },
  'no local login': { features: { feature_local_login: 'disabled' } },
  'no account deletion': { features: { feature_delete_account: 'disabled' } },
  providers: { config: { accounts: { ...accountsConfig, providers } } },
}

/**
 * Users, uploads and everything else that requests are about, created again after a request has changed them.
 */
export interface AccessFixture {
  /** The server that creates everything. */
  readonly main: TestServer
  serverOf(block: Block): Promise<TestServer>
  sceneOf(block: Block, kind: Kind): Promise<FullScene>
  /** Discards a part of the scene that a request has changed. */
  spend(part: keyof FullScene): void
  close(): Promise<void>
}

/** @param options of the main server, such as its database */
export async function openFixture(options: TestServerOptions = {}): Promise<AccessFixture> {
  const main = await start('accounts', undefined, options)
  const servers = new Map<ServerName, TestServer>([['accounts', main]])
  const rootSession = await signIn(main, root)
  const removed = await createAndDeleteUser(main, rootSession)
  const made: { -readonly [Part in keyof FullScene]?: FullScene[Part] } = {}
  let about = ''

  return {
    main,
    async serverOf({ server: name }) {
      const server = servers.get(name) ?? (await start(name, main.directory))
      servers.set(name, server)
      return server
    },
    async sceneOf({ uploads }, kind) {
      const { of: whose = 'owner' } = uploads ?? {}
      // The upload belongs to the owner: another owner has another upload.
      if (made.people === undefined || about !== `${kind} ${whose}`) delete made.upload
      about = `${kind} ${whose}`
      const people = (made.people ??= await createUsers(main, rootSession, removed))
      const owner = whose === 'owner' ? people.owner : null
      const upload = (made.upload ??= await stageUpload(main, kind, owner))
      const cliLogin = (made.cliLogin ??= await startCliLogin(main))
      return { people, upload, cliLogin }
    },
    spend(part) {
      Reflect.deleteProperty(made, part)
    },
    async close() {
      for (const server of [...servers.values()].reverse()) await server.close()
    },
  }
}

function start(name: ServerName, directory?: string, options: TestServerOptions = {}): Promise<TestServer> {
  const { features, config } = settings[name]
  return startTestServer({
    ...options,
    features: { feature_authentication: 'enabled', ...features },
    config: { accounts: accountsConfig, trustedProxies: ['127.0.0.1/32'], ...config, ...options.config },
    ...(directory !== undefined && { directory }),
  })
}

async function startCliLogin({ url }: TestServer): Promise<FullScene['cliLogin']> {
  const { code, secret } = jsonIn(
    await ask(url, '/auth/cli/init', { method: 'POST' }),
  ) as FullScene['cliLogin']
  return { code, secret }
}
