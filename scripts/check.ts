import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { inParallel } from '../cli/src/server/in-parallel.ts'

interface Check {
  readonly name: string
  readonly command: string
}

/** Everything that must hold before a change lands but the tests, the longest first: then none ends long after the others. */
const checks: readonly Check[] = [
  { name: 'lint', command: 'eslint .' },
  { name: 'types: tests and tools', command: 'tsc -p tsconfig.tests.json' },
  { name: 'format', command: 'prettier --check .' },
  { name: 'types: webapp', command: 'vue-tsc --noEmit -p webapp' },
  { name: 'types: server', command: 'tsc -p server' },
  { name: 'types: cli', command: 'tsc -p cli' },
  {
    name: 'arrows',
    command:
      'depcruise contract/src assembler/src terminal/src sdk/src encryption/src server/src webapp/src cli/src e2e/src bench/src --config',
  },
  { name: 'types: encryption', command: 'tsc -p encryption' },
  { name: 'types: sdk', command: 'tsc -p sdk' },
  { name: 'types: contract', command: 'tsc -p contract' },
  { name: 'types: assembler', command: 'tsc -p assembler' },
  { name: 'types: terminal', command: 'tsc -p terminal' },
  { name: 'dead code', command: 'knip' },
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
