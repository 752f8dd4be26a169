/**
 * Temporary servers for tests, from installed packages (scripts/tests/programs.ts names them). They listen on free ports of
 * 127.0.0.1, keep their data in temporary folders, and may lose it in a crash.
 *
 * As a command, it starts the given kinds, or all installed ones, and prints their addresses:
 *   node scripts/test-servers/main.ts [postgres] [mysql] [radosgw] [swift] [keystone]
 */
import { startDatabaseServer } from './databases/database-server.ts'
import { startKeystone } from './stores/keystone.ts'
import { storeKinds, missingProgramsOf, type StoreKind } from './kinds.ts'
import type { S3Server } from './stores/object-store.ts'
import { startRadosgw } from './stores/radosgw.ts'
import { startSwift } from './stores/swift.ts'

interface StartedServer {
  readonly description: string
  remove(): Promise<void>
}

async function start(kind: StoreKind): Promise<StartedServer> {
  switch (kind) {
    case 'postgres':
    case 'mysql': {
      const server = await startDatabaseServer(kind)
      return { description: await server.create(), remove: () => server.remove() }
    }
    case 'radosgw': {
      const server = await startRadosgw()
      return { description: s3(server), remove: () => server.remove() }
    }
    case 'swift': {
      const server = await startSwift()
      const { authURL, user, key } = server
      return {
        description: `${authURL} (user ${user}, key ${key}); ${s3(server)}`,
        remove: () => server.remove(),
      }
    }
    case 'keystone': {
      const server = await startKeystone()
      const { authURL, user, password, domain, project, region } = server
      const who = `user ${user}, password ${password}, domain ${domain}, project ${project}`
      return { description: `${authURL} (${who}, region ${region})`, remove: () => server.remove() }
    }
  }
}

const s3 = ({ endpoint, region, accessKeyID, secretAccessKey }: S3Server) =>
  `S3 at ${endpoint} (region ${region}, access key ${accessKeyID}, secret key ${secretAccessKey})`

const requestedKinds = process.argv.slice(2)
const servers: StartedServer[] = []
const stop = () => {
  void Promise.all(servers.map((server) => server.remove())).then(() => process.exit())
}
process.on('SIGINT', stop).on('SIGTERM', stop)
for (const kind of storeKinds) {
  if (requestedKinds.length > 0 && !requestedKinds.includes(kind)) continue
  const reason = missingProgramsOf(kind)
  if (reason !== null) {
    console.error(`${kind}: skipped, ${reason}`)
    continue
  }
  const server = await start(kind)
  servers.push(server)
  console.log(`${kind}: ${server.description}`)
}
console.log('stop them with Ctrl-C')
