import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { inParallel } from '../cli/src/transfer/in-parallel.ts'

interface Check {
  readonly name: string
  readonly command: string
}

/** What a check has found stays here for the next one, until the packages are installed anew. */
const cache = 'node_modules/.cache/check'

const types = (project: string, compiler = 'tsc'): Check => ({
  name: `types: ${project}`,
  command: `${compiler} -p ${project} --noEmit --incremental --tsBuildInfoFile ${cache}/${project}.tsbuildinfo`,
})

/** Everything that must hold before a change lands but the tests, the longest first: then none ends long after the others. */
const checks: readonly Check[] = [
  // ESLint's cache goes by files alone: what a changed type breaks in another file is found by tsc, or without the cache.
  { name: 'lint', command: `eslint --cache --cache-location ${cache}/eslint.json .` },
  types('tsconfig.tests.json'),
  { name: 'format', command: `prettier --check --cache --cache-location ${cache}/prettier.json .` },
  types('webapp', 'vue-tsc'),
  types('server'),
  types('cli'),
  {
    name: 'arrows',
    command:
      'depcruise contract/src assembler/src terminal/src sdk/src encryption/src server/src webapp/src cli/src e2e/src bench/src --config',
  },
  ...['encryption', 'sdk', 'contract', 'assembler', 'terminal'].map((project) => types(project)),
  { name: 'dead code', command: 'knip' },
  { name: 'prose', command: 'node scripts/prose.ts' },
  { name: 'links of the pages', command: 'node scripts/docs-links.ts' },
]

const failed: string[] = []

async function run({ name, command }: Check): Promise<void> {
  const check = spawn(`${command} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(check.stdout), once(check, 'close')])
  console.log(`\n— ${name}: ${command}\n${output}`.trimEnd())
  if (check.exitCode !== 0) failed.push(name)
}

await inParallel(checks, availableParallelism(), run)

/** For where the tests have just run. */
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
