import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * Writes `SHA256SUMS`, which `sha256sum --check` reads, and with a key its signature, `SHA256SUMS.minisig`.
 * @param files paths of files in the folder
 * @param key file of a secret key of minisign; it asks for the password of a key that has one
 * @returns paths of the written files
 * @throws Error if minisign fails
 */
export function writeChecksums(
  folder: string,
  files: readonly string[],
  key: string | undefined,
): readonly string[] {
  const sums = join(folder, 'SHA256SUMS')
  const signature = `${sums}.minisig`
  const lines = files.map(
    (file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}\n`,
  )
  writeFileSync(sums, lines.join(''))
  // A signature of other checksums is worse than none.
  rmSync(signature, { force: true })
  if (key === undefined) return [sums]
  const comment = `checksums of ${files.map((file) => basename(file)).join(', ')}`
  execFileSync('minisign', ['-S', '-s', key, '-t', comment, '-m', sums], {
    stdio: ['inherit', 'ignore', 'inherit'],
  })
  return [sums, signature]
}
