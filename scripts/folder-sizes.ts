// Finds folders with more files than a reader can survey: node scripts/folder-sizes.ts
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Files of a folder, without folders in it. Tests do not count: they stand beside their source, or have a folder by subject. */
const maxFiles = 15
const isTest = /\.test\.[a-z]+$/

/** Folders that may have more. */
const exempt: readonly RegExp[] = [
  // Tools look for their configuration at the root.
  /^\.$/,
  // One file for each release.
  /^changelog$/,
  // One page for each subject: docs/README.md lists them in groups.
  /^docs$/,
  // Pictures, which docs/tour.md shows in order.
  /^docs\/images\/tour$/,
  // Migrations have numbers: their order is that in which they run.
  /^server\/src\/metadata\/migrations$/,
  // One file for each language.
  /^webapp\/src\/locales(?:\/|$)/,
]

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
const files = new Set(listed.split('\0').filter((file) => file !== '' && existsSync(file)))
const byFolder = Map.groupBy(
  [...files].filter((file) => !isTest.test(file)),
  (file) => dirname(file),
)

const tooLarge = [...byFolder].filter(
  ([folder, { length }]) => length > maxFiles && !exempt.some((pattern) => pattern.test(folder)),
)
for (const [folder, { length }] of tooLarge)
  console.log(
    `${folder}: ${String(length)} files, at most ${String(maxFiles)}: move those of one subject into a folder that names it`,
  )
if (tooLarge.length > 0) process.exitCode = 1
