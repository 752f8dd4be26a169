import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { requireOk, identityOf, startDaemon } from '../daemon.ts'
import { newFolder, removeFolder } from '../folders.ts'
import { freePorts } from '../free-ports.ts'
import { seedKeystone, serviceUser } from './keystone-seed.ts'
import { startSwift } from './swift.ts'
import type { SwiftIdentity } from './swift-filters.ts'

const run = promisify(execFile)

/** Keystone, with Swift that knows its users. */
export interface KeystoneServer {
  /** Address of the authentication, version 3. */
  readonly authURL: string
  readonly user: string
  readonly password: string
  readonly domain: string
  readonly project: string
  readonly region: string
  /** Stops both servers and deletes their data. */
  remove(): Promise<void>
}

/**
 * OpenStack's identity service on SQLite, and Swift behind it. Takes about ten seconds to start.
 * @throws when they are not installed or do not start
 */
export async function startKeystone(): Promise<KeystoneServer> {
  const who = identityOf('root')
  const folder = newFolder('keystone', { identity: who, isInMemory: true })
  const [port = 0, swiftPort = 0] = await freePorts(2)
  const authURL = `http://127.0.0.1:${String(port)}/v3`
  for (const keys of ['fernet', 'credential']) makeKeys(join(folder, keys))
  const config = join(folder, 'keystone.conf')
  writeFileSync(config, configuration(folder))
  const manage = (...args: readonly string[]) =>
    run('/usr/bin/keystone-manage', ['--config-file', config, ...args], { cwd: folder })
  await manage('db_sync')
  await manage(
    ...['bootstrap', '--bootstrap-username', 'admin', '--bootstrap-password', 'adminpw'],
    ...['--bootstrap-project-name', 'admin', '--bootstrap-role-name', 'admin'],
    ...['--bootstrap-service-name', 'keystone', '--bootstrap-region-id', 'RegionOne'],
    ...['public', 'internal', 'admin'].flatMap((kind) => [`--bootstrap-${kind}-url`, authURL]),
  )
  // Without this, a reading session blocks a writing one.
  const wal = `import sqlite3; sqlite3.connect('${folder}/keystone.db').execute('pragma journal_mode=wal')`
  await run('/usr/bin/python3', ['-c', wal])
  const daemon = startDaemon(
    ['env', `OS_KEYSTONE_CONFIG_FILES=${config}`, `OS_KEYSTONE_CONFIG_DIR=${folder}`].concat([
      ...['/usr/bin/keystone-wsgi-public', '--host', '127.0.0.1', '--port', String(port)],
    ]),
    { ...who, log: join(folder, 'out.log') },
  )
  await daemon.ready(() => requireOk(authURL))
  const login = await seedKeystone(authURL, `http://127.0.0.1:${String(swiftPort)}`)
  const swift = await startSwift({ identity: keystoneIdentity(authURL), port: swiftPort })
  return {
    authURL,
    ...login,
    async remove() {
      await swift.remove()
      await daemon.stop('SIGTERM')
      await removeFolder(folder)
    },
  }
}

/** Writes the keys 0 and 1 as `keystone-manage fernet_setup` does, in a fiftieth of its time. */
function makeKeys(folder: string): void {
  mkdirSync(folder, { mode: 0o700 })
  for (const name of ['0', '1']) {
    const key = randomBytes(32).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
    writeFileSync(join(folder, name), key, { mode: 0o600 })
  }
}

const configuration = (folder: string) => `
[DEFAULT]
log_file = ${folder}/keystone.log
[database]
connection = sqlite:///${folder}/keystone.db
[fernet_tokens]
key_repository = ${folder}/fernet
[fernet_receipts]
key_repository = ${folder}/fernet
[credential]
key_repository = ${folder}/credential
[cache]
enabled = false
[identity]
password_hash_rounds = 4
`

/** The filters with which Swift authenticates users by Keystone. */
const keystoneIdentity = (authURL: string): SwiftIdentity => ({
  filters: ['authtoken', 's3api', 's3token', 'keystoneauth'],
  sections: `
[filter:authtoken]
paste.filter_factory = keystonemiddleware.auth_token:filter_factory
www_authenticate_uri = ${authURL}
delay_auth_decision = true
cache = swift.cache
${serviceLogin(authURL)}
[filter:s3token]
use = egg:swift#s3token
auth_uri = ${authURL}
delay_auth_decision = true
${serviceLogin(authURL)}
[filter:keystoneauth]
use = egg:swift#keystoneauth
operator_roles = admin, member
`,
})

const serviceLogin = (authURL: string) => `auth_url = ${authURL}
auth_type = password
username = ${serviceUser.name}
password = ${serviceUser.password}
project_name = ${serviceUser.project}
user_domain_id = default
project_domain_id = default`
