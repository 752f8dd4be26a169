import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { requireOk, identityOf, startDaemon } from '../daemon.ts'
import { newFolder, removeFolder } from '../folders.ts'
import { freePorts } from '../free-ports.ts'
import type { S3Server, SwiftLogin } from './object-store.ts'
import { proxyFilters, tempauth, type SwiftIdentity } from './swift-filters.ts'

const run = promisify(execFile)

/** The login and the S3 keys are those of tempauth. */
export interface SwiftServer extends S3Server, SwiftLogin {
  readonly account: string
}

export interface SwiftOptions {
  /** The authentication; tempauth by default. */
  readonly identity?: SwiftIdentity
  /** A fixed port, for an identity service whose configuration contains it. */
  readonly port?: number
}

/**
 * OpenStack Swift with one copy of each object. The interfaces of Swift and S3 share one port.
 * @throws when it is not installed or does not start
 */
export async function startSwift({ identity = tempauth, port }: SwiftOptions = {}): Promise<SwiftServer> {
  const who = identityOf('swift')
  const folder = newFolder('swift', { identity: who, children: ['srv', 'srv/d1', 'cache'], isInMemory: true })
  const [accountPort = 0, containerPort = 0, objectPort = 0, cachePort = 0, freePort = 0] = await freePorts(5)
  const proxyPort = port ?? freePort
  const ports = { account: accountPort, container: containerPort, object: objectPort }
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
  }
  const common = (own: number) => defaults({ folder, user: who.user, port: own })
  write('swift.conf', constraints)
  for (const [kind, own] of Object.entries(ports)) write(`${kind}.conf`, `${common(own)}${backend(kind)}`)
  write('proxy.conf', `${common(proxyPort)}${proxyFilters(identity, cachePort)}`)
  write('rings.py', rings(folder, ports))
  await run('/usr/bin/python3', [join(folder, 'rings.py')])

  const daemon = (name: string, command: readonly string[]) =>
    startDaemon(command, { ...who, log: join(folder, `${name}.log`) })
  const cache = daemon('memcached', [
    ...['memcached', '-l', '127.0.0.1', '-p', String(cachePort), '-U', '0', '-m', '16', '-t', '1'],
    ...['-u', who.user],
  ])
  const server = (kind: string) =>
    daemon(kind, [`/usr/bin/swift-${kind}-server`, join(folder, `${kind}.conf`), '-v'])
  const backends = Object.entries(ports).map(([kind, own]) => ({ own, process: server(kind) }))
  const proxy = server('proxy')
  await cache.ready(() => accepts(cachePort))
  for (const { own, process } of backends) await process.ready(() => accepts(own))
  const endpoint = `http://127.0.0.1:${String(proxyPort)}`
  await proxy.ready(() => requireOk(`${endpoint}/healthcheck`))
  return {
    endpoint,
    region: 'us-east-1',
    accessKeyID: 'test:tester',
    secretAccessKey: 'testing',
    authURL: `${endpoint}/auth/v1.0`,
    user: 'test:tester',
    key: 'testing',
    account: 'AUTH_test',
    async remove() {
      const processes = [proxy, ...backends.map(({ process }) => process), cache]
      await Promise.all(processes.map((process) => process.stop('SIGTERM')))
      await removeFolder(folder)
    },
  }
}

/** Resolves when a port accepts connections. */
async function accepts(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}

/** Without worker processes, the started process is the server. */
const defaults = ({
  folder,
  user,
  port,
}: {
  readonly folder: string
  readonly user: string
  readonly port: number
}) => `
[DEFAULT]
swift_dir = ${folder}
user = ${user}
devices = ${folder}/srv
mount_check = false
bind_ip = 127.0.0.1
bind_port = ${String(port)}
workers = 0
log_level = WARNING
fallocate_reserve = 0
disable_fallocate = true
recon_cache_path = ${folder}/cache
`

const backend = (kind: string) => `
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`

const constraints = `
[swift-hash]
swift_hash_path_suffix = test
swift_hash_path_prefix = test
[storage-policy:0]
name = p0
default = yes
`

/** Creates the rings, with one copy of each object. */
const rings = (folder: string, ports: Readonly<Record<string, number>>) => `
from swift.common.ring import RingBuilder
for name, port in ${JSON.stringify(Object.entries(ports))}:
    builder = RingBuilder(2, 1, 0)
    builder.add_dev(dict(region=1, zone=1, ip="127.0.0.1", port=port, device="d1", weight=1.0,
                         replication_ip="127.0.0.1", replication_port=port, meta=""))
    builder.rebalance()
    builder.get_ring().save("${folder}/%s.ring.gz" % name)
`
