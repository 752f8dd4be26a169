import { globSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { missingPrograms, mountSkipReason, type Package } from './programs.ts'

const root = join(import.meta.dirname, '../..')

/** Test files that need programs. Single tests use needs.ts. */
const needs: readonly (readonly [pattern: string, ...needed: readonly (Package | 'root')[]])[] = [
  ['e2e/src/**/*.test.ts', 'chromium'],
  ['e2e/src/firefox*.test.ts', 'firefox-esr'],
  ['e2e/src/webkit.test.ts', 'webkit2gtk-driver', 'xvfb'],
  ['e2e/src/clients/clients.test.ts', 'curl'],
  ['e2e/src/encryption/encrypted-files.test.ts', 'unzip', 'age', 'python3'],
  ['server/test/http/connections/tls.test.ts', 'openssl'],
  ['server/test/commands/check/surroundings.test.ts', 'openssl'],
  ['server/test/auth/providers/transport.test.ts', 'openssl'],
  ['server/test/stream/quick.test.ts', 'curl'],
  ['server/test/resumable/recipe.test.ts', 'curl', 'jq'],
  ['cli/src/http/direct-fetch.test.ts', 'openssl'],
  ['cli/test/process/environment.test.ts', 'openssl'],
  ['cli/test/shell/shell-client.test.ts', 'curl'],
  ['cli/test/upload/upload.test.ts', 'curl'],
  ['cli/test/process/mistakes.test.ts', 'curl'],
  ['cli/test/process/terminal.test.ts', 'python3'],
  ['cli/test/commands/documentation.test.ts', 'man-db'],
  ['encryption/src/ssh/ssh.test.ts', 'age', 'openssh-client'],
  ['server/test/data/file/file-space.test.ts', 'root'],
  ['webapp/src/saving/zip/zip.test.ts', 'unzip', 'libarchive-tools', 'p7zip-full'],
]

/** A test file that is skipped. */
export interface SkippedFile {
  readonly file: string
  /** The missing program, and how to install it. */
  readonly reason: string
}

export const skippedFiles: readonly SkippedFile[] = globSync(
  needs.map(([pattern]) => pattern),
  { cwd: root },
).flatMap((file) => {
  const needed = needs.flatMap(([pattern, ...packages]) => (matchesGlob(file, pattern) ? packages : []))
  const root = needed.includes('root') ? mountSkipReason : null
  const reason = missingPrograms(...needed.filter((package_) => package_ !== 'root')) ?? root
  return reason === null ? [] : [{ file, reason }]
})
