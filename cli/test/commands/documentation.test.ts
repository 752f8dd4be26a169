import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { completions } from '../../src/documentation/completions.ts'
import { shells } from '../../src/documentation/shells.ts'
import { idleProgram } from '../../src/documentation/idle-program.ts'
import { manual } from '../../src/documentation/manual.ts'
import { markdown } from '../../src/documentation/markdown.ts'
import { commands } from '../../src/commands.ts'

test('docs/cli.md is up to date (node scripts/docs/cli.ts writes it)', async () => {
  const written = await readFile(resolve(import.meta.dirname, '../../../docs/cli.md'), 'utf8')
  expect(written).toBe(await markdown(commands, idleProgram()))
})

test('man renders the manual page without warnings', async () => {
  const page = await manual(commands, idleProgram())
  const rendered = execFileSync('man', ['--warnings=all', '-l', '-'], {
    input: page,
    encoding: 'utf8',
    env: { ...process.env, MANWIDTH: '100', LC_ALL: 'C.UTF-8', MANPAGER: 'cat' },
  })
  for (const name of Object.keys(commands)) expect(rendered).toContain(`svc ${name}`)
})

async function bashCompletion(): Promise<(line: string) => string[]> {
  const bash = await completions(commands, idleProgram(), 'bash')
  return (line) =>
    execFileSync(
      'bash',
      [
        '--norc',
        '-c',
        `eval "$1"; COMP_WORDS=($2); [[ $2 == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _svc; printf '%s\\n' "\${COMPREPLY[@]}"`,
        'bash',
        bash,
        line,
      ],
      { encoding: 'utf8', cwd: import.meta.dirname },
    )
      .trim()
      .split('\n')
      .filter((word) => word !== '')
}

test('bash completes commands and their options', async () => {
  const complete = await bashCompletion()
  expect(complete('svc who')).toEqual(['whoami'])
  expect(complete('svc get --ver')).toEqual([])
  expect(complete('svc get --out')).toEqual(['--output'])
  expect(complete('svc --onesh')).toEqual(['--oneshot'])
  expect(complete('svc upload documentation')).toEqual(['documentation.test.ts'])
  expect(complete('svc documentation')).toEqual(['documentation.test.ts'])
})

test('bash completes values: words, files, or nothing', async () => {
  const complete = await bashCompletion()
  expect(complete('svc upload --archive tar.')).toEqual(['tar.gz', 'tar.zst', 'tar.xz', 'tar.bz2'])
  expect(complete('svc -a z')).toEqual(['zip'])
  expect(complete('svc -a = z')).toEqual(['zip'])
  expect(complete('svc get --output documentation')).toEqual(['documentation.test.ts'])
  expect(complete('svc upload --ttl documentation')).toEqual([])
  expect(complete('svc -P documentation')).toEqual([])
  expect(complete('svc completion ')).toEqual([...shells])
  expect(complete('svc config rem')).toEqual(['removable'])
})

test.each(shells)('%s completes every command', async (shell) => {
  const script = await completions(commands, idleProgram(), shell)
  for (const name of Object.keys(commands)) expect(script).toMatch(new RegExp(`\\b${name}\\b`))
})
