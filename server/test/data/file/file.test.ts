import { readdir } from 'node:fs/promises'
import { fileBackend } from '../../../src/data/file/file.ts'
import { manualClock } from '../../support/clocks/manual-clock.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { testDataBackend } from '../suites/contract-suite.ts'
import { testResumableWrites } from '../suites/resumable-suite.ts'
import { mebibyte } from '../../../src/domain/sizes.ts'

async function newDirectory() {
  const directory = await temporaryDirectory()
  return {
    directory,
    stored: async () => {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true })
      return entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name)
    },
  }
}

for (const fsync of [true, false]) {
  const name = `file (${fsync ? 'synced' : 'unsynced'})`
  const open = async () => {
    const { directory, ...store } = await newDirectory()
    return { ...store, backend: fileBackend({ directory, fsync }, manualClock()) }
  }
  testDataBackend(name, open, { removesMany: true })

  const capabilities = { borders: [4096, mebibyte], commitBytes: 2 * mebibyte }
  testResumableWrites(name, capabilities, async () => {
    const { directory, ...store } = await newDirectory()
    const tuning = { commitBytes: capabilities.commitBytes }
    return {
      ...store,
      open: () => Promise.resolve(fileBackend({ directory, fsync }, manualClock(), tuning)),
    }
  })
}
