import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { inspectDatabase } from '../../src/metadata/inspect.ts'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import { json, svcd } from '../commands/command-line.ts'
import { describeCluster, type Cluster } from '../support/servers/cluster.ts'
import { settingsOf, versions } from './kept.ts'
import { restoreKept } from './restore.ts'

for (const version of versions)
  describeCluster(`admin commands on a database of version ${version}`, (newCluster) => {
    let cluster: Cluster
    beforeEach(async () => {
      cluster = await newCluster()
      await restoreKept(version, cluster)
    })

    const options = () => ({
      environment: {
        ...settingsOf(cluster.database),
        SVCD_DATA_BACKEND_CONFIG_DIRECTORY: join(cluster.directory, 'files'),
      },
    })
    const pending = async () =>
      (await inspectDatabase(await openDialect(cluster.database, 'inspect', () => undefined))).pending

    test.each([
      'user list',
      'upload list',
      'stats',
      'stats --recount',
      'clean',
      'verify',
      'export -',
      'import - --merge',
      'import --from transfer.sh . --dry-run',
      'user create ada --generate-password',
    ])('svcd %s refuses it and leaves it as it is', async (command) => {
      const missing = await pending()
      expect(missing).not.toEqual([])
      const { status, output, stderr } = await svcd(cluster.directory, command.split(' '), options())
      expect([status, output]).toEqual([1, ''])
      expect(stderr).toBe(
        `the database has the format of an earlier svcd (missing: ${missing.join(', ')}): the server of this version migrates it at its start. Make a backup first`,
      )
      expect(await pending()).toEqual(missing)
    })

    test('svcd check lists the missing migrations', async () => {
      const { output } = await svcd(cluster.directory, ['check'], options())
      expect(output).toMatch(
        /^ok {4}database: .* is reachable; the next start of the server migrates it \(0024-previews.*\): make a backup first$/m,
      )
    })

    test('the commands work after the start of a server', async () => {
      await cluster.start()
      expect(await json(cluster.directory, ['user', 'list'], options())).toHaveLength(2)
    })
  })
