// Stands in for npm in tests of the set-up: installs what it is asked for without a registry.
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const args = process.argv.slice(2)
appendFileSync(process.env.FAKE_NPM_LOG, JSON.stringify(args) + '\n')

const write = (path, content) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

if (args[0] === 'ci') mkdirSync('node_modules/.bin', { recursive: true })
else {
  const checksums = JSON.parse(readFileSync(process.env.FAKE_NPM_CHECKSUMS, 'utf8')).integrity
  const wanted = args.filter((arg) => /^[a-z].*@\d/.test(arg))
  const packages = {}
  for (const one of wanted) {
    const name = one.slice(0, one.lastIndexOf('@'))
    packages[`node_modules/${name}`] = { integrity: checksums[one] }
    const program = name === 'npm' ? 'npm-cli.js' : 'node'
    const path = join('node_modules', name, 'bin', program)
    write(
      path,
      name === 'npm' ? readFileSync(process.argv[1]) : `#!/bin/sh\nexec "${process.execPath}" "$@"\n`,
    )
    chmodSync(path, 0o755)
  }
  write('node_modules/.package-lock.json', JSON.stringify({ packages }))
}
