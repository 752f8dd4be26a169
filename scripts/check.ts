import { spawnSync } from 'node:child_process'

/** Everything that must hold before a change lands, the quickest first. */
const checks: readonly (readonly [name: string, command: string])[] = [
  ['format', 'prettier --check .'],
  ['types: contract', 'tsc -p contract'],
  ['types: sdk', 'tsc -p sdk'],
  ['types: encryption', 'tsc -p encryption'],
  ['types: server', 'tsc -p server'],
  ['types: cli', 'tsc -p cli'],
  ['types: tests and tools', 'tsc -p tsconfig.tests.json'],
  ['types: webapp', 'vue-tsc --noEmit -p webapp'],
  ['lint', 'eslint .'],
  [
    'arrows',
    'depcruise contract/src sdk/src encryption/src server/src webapp/src cli/src e2e/src bench/src --config',
  ],
  ['dead code', 'knip'],
  ['tests', 'vitest run'],
]

/** For where the tests have just run. */
const withoutTests = process.argv.includes('--without-tests')

const failed = checks.filter(([name, command]) => {
  if (withoutTests && name === 'tests') return false
  console.log(`\n— ${name}: ${command}`)
  return spawnSync(command, { shell: true, stdio: 'inherit' }).status !== 0
})

if (failed.length > 0) {
  console.error(`\nfailed: ${failed.map(([name]) => name).join(', ')}`)
  process.exitCode = 1
} else {
  console.log('\nall checks passed')
}
