import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { connectDirectly } from '../databases/direct-connection.ts'
import { describeOn, networkKinds } from '../databases/network-databases.ts'
import { until } from '../until.ts'

const servers = join(import.meta.dirname, '../../../../scripts/test-servers/databases/database-server.ts')

/** Starts a server, writes the address of a database in a line, and runs until it is killed. */
const program = (kind: string) => `
  import { startDatabaseServer } from '${servers}'
  const server = await startDatabaseServer('${kind}', { isInMemory: true })
  console.log(await server.create())
  setInterval(() => undefined, 60_000)
`

for (const kind of networkKinds)
  describeOn(kind, 'a database server whose process is killed', () => {
    test('ends, and nothing of its files is left', async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program(kind)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [connectionString] = (await once(createInterface(child.stdout), 'line')) as [string]
      const config = { driver: kind, connectionString, maxConnections: 1 }
      const connection = await connectDirectly(config)
      const place = kind === 'postgres' ? 'show data_directory' : 'select @@datadir'
      const [row = {}] = await connection.query(place)
      const folder = join(String(Object.values(row)[0]), '..')
      expect(globSync(folder)).toEqual([folder])
      child.kill('SIGKILL')
      await until('its files are removed', () => globSync(folder).length === 0)
      await until('its port is free', () =>
        connectDirectly(config).then(
          (open) => open.close().then(() => false),
          (error: unknown) => (error as NodeJS.ErrnoException).code === 'ECONNREFUSED',
        ),
      )
    })
  })
