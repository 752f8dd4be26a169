import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { requireOk, DaemonEnded, identityOf, startDaemon, type Daemon } from '../daemon.ts'
import { newFolder, removeFolder } from '../folders.ts'
import { freePorts } from '../free-ports.ts'
import type { S3Server, SwiftLogin } from './object-store.ts'

const run = promisify(execFile)

export interface RadosgwServer extends S3Server {
  /** Sets the quota of the user in bytes. Stored objects stay. */
  limit(bytes: number): Promise<void>
  /**
   * Enables the Swift interface for the user.
   * @returns credentials for version 1 of the authentication
   */
  openSwift(): Promise<SwiftLogin>
}

export interface RadosgwOptions {
  /** Maximum bytes of objects, which are in memory. */
  readonly capacity?: number
}

/**
 * Ceph with one monitor, one store in memory and its S3 gateway, without authentication between the three.
 * @throws when it is not installed or does not start
 */
export async function startRadosgw({
  capacity = 4 * 1024 ** 3,
}: RadosgwOptions = {}): Promise<RadosgwServer> {
  const identity = identityOf('root')
  const folder = newFolder('radosgw', {
    identity,
    children: ['run', 'mon', 'osd', 'rgw', 'crash'],
    isInMemory: true,
  })
  const [monitorPort = 0, port = 0] = await freePorts(2)
  const cluster = randomUUID()
  const config = join(folder, 'ceph.conf')
  writeFileSync(config, configuration({ folder, cluster, monitorPort, port, capacity }))
  const daemon = (command: readonly string[]) =>
    startDaemon([...command, '-c', config, '-f'], {
      ...identity,
      log: join(folder, `${String(command[0])}.out`),
    })
  const admin = (...args: readonly string[]) =>
    run('radosgw-admin', ['-c', config, '-n', 'client.rgw', ...args], { timeout: 60_000 })

  const keyring = join(folder, 'keyring')
  const map = join(folder, 'monmap')
  await run('ceph-authtool', [
    '--create-keyring',
    keyring,
    '--gen-key',
    '-n',
    'mon.',
    '--cap',
    'mon',
    'allow *',
  ])
  const address = `[v1:127.0.0.1:${String(monitorPort)}]`
  await run('monmaptool', ['--create', '--addv', 'a', address, '--fsid', cluster, map])
  await run('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring, '-c', config])
  const monitor = daemon(['ceph-mon', '-i', 'a'])
  const store = await startStore({ config, daemon, monitor })
  const gateway = daemon(['radosgw', '-n', 'client.rgw'])
  const endpoint = `http://127.0.0.1:${String(port)}`
  await gateway.ready(() => requireOk(`${endpoint}/`))

  const [accessKeyID, secretAccessKey] = ['ACCESSKEY', 'SECRETKEY']
  const keys = [`--access-key=${accessKeyID}`, `--secret=${secretAccessKey}`]
  await admin('user', 'create', '--uid=svc', '--display-name=svc', ...keys)
  return {
    endpoint,
    region: 'us-east-1',
    accessKeyID,
    secretAccessKey,
    async limit(bytes) {
      const scope = ['--quota-scope=user', '--uid=svc']
      await admin('quota', 'set', ...scope, `--max-size=${String(bytes)}`)
      await admin('quota', 'enable', ...scope)
    },
    async openSwift() {
      const [user, key] = ['svc:swift', 'SWIFTKEY']
      await admin('subuser', 'create', '--uid=svc', `--subuser=${user}`, '--access=full', `--secret=${key}`)
      return { authURL: `${endpoint}/auth/v1.0`, user, key }
    },
    async remove() {
      // A graceful shutdown takes seconds, and the data is deleted anyway.
      for (const process of [gateway, store, monitor]) await process.stop('SIGKILL')
      await removeFolder(folder)
    },
  }
}

/**
 * Retries commands, because the monitor refuses them before its election, and because the store fails if it connects before
 * the monitor knows it.
 */
async function startStore({
  config,
  daemon,
  monitor,
}: {
  readonly config: string
  readonly daemon: (command: readonly string[]) => Daemon
  readonly monitor: Daemon
}): Promise<Daemon> {
  const ceph = (...args: readonly string[]) => run('ceph', ['-c', config, '--connect-timeout', '20', ...args])
  const id = randomUUID()
  await monitor.ready(() => ceph('osd', 'new', id))
  await run('ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', id, '-c', config])
  for (let tries = 1; ; tries += 1) {
    const store = daemon(['ceph-osd', '-i', '0'])
    try {
      await store.ready(async () => {
        const { stdout } = await ceph('osd', 'stat')
        if (!stdout.includes('1 up')) throw new Error('the store is not up yet')
      })
      return store
    } catch (error) {
      if (!(error instanceof DaemonEnded) || tries === 5) throw error
    }
  }
}

interface ClusterSettings {
  readonly folder: string
  readonly cluster: string
  readonly monitorPort: number
  readonly port: number
  readonly capacity: number
}

/** The Paxos settings reduce the start from twelve seconds to one. */
const configuration = ({ folder, cluster, monitorPort, port, capacity }: ClusterSettings) => `
[global]
fsid = ${cluster}
mon host = v1:127.0.0.1:${String(monitorPort)}
mon initial members = a
public network = 127.0.0.0/8
cluster network = 127.0.0.0/8
public addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
ms bind ipv6 = false
ms bind msgr2 = false
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon warn on pool no redundancy = false
mon data avail crit = 1
mon data avail warn = 1
run dir = ${folder}/run
admin socket = ${folder}/run/$cluster-$name.asok
pid file = ${folder}/run/$name.pid
crash dir = ${folder}/crash
log file = ${folder}/$name.log
mon cluster log file = ${folder}/cluster.log
keyring = ${folder}/keyring
heartbeat file = ${folder}/run/$name.hb
[mon]
paxos propose interval = 0.02
paxos min wait = 0.01
mon tick interval = 1
mon data = ${folder}/mon
[osd]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = ${String(capacity)}
osd class load list = *
osd class default list = *
[client.rgw]
rgw data = ${folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:${String(port)}
rgw thread pool size = 16
rgw enable usage log = false
rgw override bucket index max shards = 1
rgw dynamic resharding = false
rgw bucket quota ttl = 0
rgw gc obj min wait = 1
rgw gc processor period = 1
rgw gc processor max time = 1
rgw crypt require ssl = false
`
