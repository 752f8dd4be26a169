import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { inParallel } from '../cli/src/transfer/in-parallel.ts'

interface Check {
  readonly name: string
  readonly command: string
}

/** Caches of the checks. Installing the packages deletes them. */
const cache = 'node_modules/.cache/check'

/** All checks of a change except the tests. The longest comes first, so that all end at about the same time. */
const checks: readonly Check[] = [
  // The cache of ESLint is valid per file: vue-tsc finds errors that a changed type causes in another file.
  { name: 'lint: Vue files', command: `eslint --cache --cache-location ${cache}/eslint.json .` },
  { name: 'lint and types', command: 'oxlint --deny-warnings --report-unused-disable-directives' },
  { name: 'format', command: `prettier --check --cache --cache-location ${cache}/prettier.json .` },
  {
    name: 'types: Vue files',
    command: `vue-tsc -p webapp --noEmit --incremental --tsBuildInfoFile ${cache}/webapp.tsbuildinfo`,
  },
  {
    name: 'imports',
    command:
      'depcruise contract/src assembler/src terminal/src sdk/src encryption/src server/src webapp/src cli/src e2e/src bench/src --config',
  },
  { name: 'dead code', command: 'knip' },
  { name: 'prose', command: 'node scripts/prose.ts' },
  { name: 'links of the pages', command: 'node scripts/docs-links.ts' },
  { name: 'sizes of files and folders', command: 'node scripts/folder-sizes.ts' },
]

console.log(`running: ${checks.map(({ name }) => name).join(', ')}`)

const failed: string[] = []

async function run({ name, command }: Check): Promise<void> {
  const check = spawn(`${command} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(check.stdout), once(check, 'close')])
  console.log(`\n— ${name}: ${command}\n${output}`.trimEnd())
  if (check.exitCode !== 0) failed.push(name)
}

await inParallel(checks, availableParallelism(), run)

/** Skips the tests, for a checkout in which they have just run. */
const withoutTests = process.argv.includes('--without-tests')
if (!withoutTests) {
  if (spawnSync('vitest run', { shell: true, stdio: 'inherit' }).status !== 0) failed.push('tests')
}

if (failed.length > 0) {
  console.error(`\nfailed: ${failed.join(', ')}`)
  process.exitCode = 1
} else {
  console.log('\nall checks passed')
}
