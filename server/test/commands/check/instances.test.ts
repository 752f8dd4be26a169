import { beforeEach, describe, expect, test } from 'vitest'
import { check, newDirectory, type Settings } from './run-check.ts'

beforeEach(newDirectory)

const elsewhere = { INSTANCE_URL: 'http://10.0.0.5:8081' }
/** Nothing listens there; what does not depend on the database is checked all the same. */
const network = {
  METADATA_BACKEND_CONFIG_DRIVER: 'postgres',
  METADATA_BACKEND_CONFIG_CONNECTION_STRING: 'postgres://svc@127.0.0.1:9/svc',
}
const about = async (settings: Settings) => (await check(settings)).about('InstanceURL')

describe('svcd check of several servers', () => {
  test('warns of a database that servers on other machines cannot share', async () => {
    expect(await about(elsewhere)).toEqual([
      expect.stringMatching(/^warn .* cannot share an SQLite database: .* or remove InstanceURL$/),
    ])
  })

  test('warns of files in the memory of a process', async () => {
    expect(await about({ ...elsewhere, ...network, DATA_BACKEND: 'memory' })).toEqual([
      expect.stringMatching(/^warn .* DataBackend = "memory" keeps files in this process/),
    ])
  })

  test('asks whether a directory is shared', async () => {
    expect(await about({ ...elsewhere, ...network })).toEqual([
      expect.stringMatching(/^warn .* do all of them mount the same file system at .*\?/),
    ])
  })

  test.each(['', 'http://127.0.0.1:8081', 'http://[::1]:8081', 'http://localhost:8081'])(
    'says nothing where all servers are on this machine (%s)',
    async (url) => {
      expect(await about(url === '' ? {} : { INSTANCE_URL: url })).toEqual([])
    },
  )
})
