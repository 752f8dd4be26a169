// Vitest runs this before each test file, in a process that several files share. Its hook runs after those of the file.
import { afterAll } from 'vitest'
import { removeSharedDirectories } from './machine/temporary-directory.ts'
import { releaseAllocations } from './servers/shared-servers.ts'

afterAll(async () => {
  await removeSharedDirectories()
  await releaseAllocations()
})
