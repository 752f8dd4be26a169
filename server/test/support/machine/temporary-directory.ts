import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newFolder } from '../../../../scripts/test-servers/folders.ts'
import { onTestFinished, TestRunner } from 'vitest'

/** Directories that several tests of a file share. */
const shared: string[] = []

/** The parent of all directories in memory. */
let inMemory: string | undefined

const remove = (directory: string) => rm(directory, { recursive: true, force: true })

/** Removes the directories that were made in `beforeAll`; `after-file.ts` calls it. */
export async function removeSharedDirectories(): Promise<void> {
  for (const directory of shared.splice(0)) await remove(directory)
}

/**
 * An empty directory. One that is made in a test or `beforeEach` is removed after this test and its hooks; one that is made
 * in `beforeAll`, after all tests of the file.
 */
export async function temporaryDirectory(): Promise<string> {
  return removedLater(await mkdtemp(join(tmpdir(), 'svcd-test-')))
}

/**
 * The same, in memory where the machine has enough, for the database and the files of servers in this process: syncs of a
 * disk take most of the time of their tests. Tests about disks and of separate processes use the disk.
 */
export async function memoryDirectory(): Promise<string> {
  return removedLater(await keptMemoryDirectory())
}

/** A directory in memory that the caller removes, at the latest when the process ends. */
export function keptMemoryDirectory(): Promise<string> {
  inMemory ??= newFolder('tests', { isInMemory: true })
  return mkdtemp(join(inMemory, 'svcd-test-'))
}

function removedLater(directory: string): string {
  if (TestRunner.getCurrentTest() === undefined) shared.push(directory)
  else onTestFinished(() => remove(directory))
  return directory
}
