import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished, TestRunner } from 'vitest'

/** Directories that several tests of a file share. */
const shared: string[] = []

const remove = (directory: string) => rm(directory, { recursive: true, force: true })

// Registered before the hooks of the test file, so that it runs after them.
afterAll(async () => {
  for (const directory of shared.splice(0)) await remove(directory)
})

/**
 * An empty directory. One that is made in a test or `beforeEach` is removed after this test and its hooks; one that is made
 * in `beforeAll`, after all tests of the file.
 */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'svcd-test-'))
  if (TestRunner.getCurrentTest() === undefined) shared.push(directory)
  else onTestFinished(() => remove(directory))
  return directory
}
