// Finds folders with more files, and files with more lines, than a reader can survey: node scripts/folder-sizes.ts
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Files of a folder, without folders in it. Tests do not count: they stand beside their source, or have a folder by subject. */
const maxFiles = 15
const isTest = /\.test\.[a-z]+$/

/** Lines of a file. Tests count, too. */
const maxLines = 300
const isSource = /\.(?:ts|vue|js|mjs)$/

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

const tooLong = [...files]
  .filter((file) => isSource.test(file))
  .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
  .filter(({ lines }) => lines > maxLines)
for (const { file, lines } of tooLong)
  console.log(`${file}: ${String(lines)} lines, at most ${String(maxLines)}: split it by subject`)

if (tooLarge.length > 0 || tooLong.length > 0) process.exitCode = 1
