import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileBackend } from '../../src/data/file.ts'
import { testDataBackend } from './contract-suite.ts'

for (const fsync of [true, false]) {
  testDataBackend(`file (${fsync ? 'synced' : 'unsynced'})`, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-data-'))
    return {
      backend: fileBackend({ directory, fsync }),
      stored: async () => {
        const entries = await readdir(directory, { recursive: true, withFileTypes: true })
        return entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name)
      },
      close: () => rm(directory, { recursive: true }),
    }
  })
}
