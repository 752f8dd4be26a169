import { expect, test } from 'vitest'
import type { MetadataBackendConfig } from '../../../src/config/config.ts'
import { emptyDirectory } from '../../support/servers/svcd.ts'
import { storedFiles } from '../../support/servers/server-data.ts'
import { describeOn, networkKinds, newDatabase } from '../../support/databases/network-databases.ts'
import { svcd } from '../../commands/command-line.ts'
import { fillPlik } from './filled.ts'
import { newPlik } from './installation.ts'

const environmentOf = ({ driver, connectionString }: MetadataBackendConfig) => ({
  SVCD_METADATA_BACKEND_CONFIG_DRIVER: driver,
  SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING: connectionString,
})

for (const kind of networkKinds) {
  describeOn(kind, 'an installation of Plik', () => {
    test('is imported into this database, and a second run adds nothing', async () => {
      const directory = await emptyDirectory()
      const plik = await newPlik()
      await fillPlik(plik)
      await plik.close()
      const environment = environmentOf(await newDatabase(kind))
      const importing = (...args: string[]) =>
        svcd(directory, ['import', '--from', 'plik', plik.configuration, ...args], { environment })
      expect((await importing('--dry-run')).output).toContain(
        'would import 3 users, 1 token, 9 uploads, 10 files',
      )
      expect(await importing()).toMatchObject({
        status: 0,
        output: expect.stringContaining('imported 3 users, 1 token, 9 uploads, 10 files (70 B)') as string,
      })
      expect((await importing()).output).toContain('already present: 3 users, 1 token, 9 uploads, 10 files')
      expect((await svcd(directory, ['verify', '--hashes'], { environment })).status).toBe(0)
      expect((await svcd(directory, ['stats', '--recount'], { environment })).output).toContain('are correct')
    })

    test('on this database gives the same records as one on SQLite', async () => {
      const exportOf = async (database?: MetadataBackendConfig) => {
        const directory = await emptyDirectory()
        const plik = await newPlik(database)
        await fillPlik(plik)
        await plik.close()
        const { status, stderr } = await svcd(directory, ['import', '--from', 'plik', plik.configuration])
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
        expect(storedFiles({ directory })).toHaveLength(9)
        const { output } = await svcd(directory, ['export', '-'])
        // Each hash has a salt.
        return output.replace(/\$[\w$=,./-]{30,}/g, 'hash')
      }
      expect(await exportOf(await newDatabase(kind))).toBe(await exportOf())
    })
  })
}
