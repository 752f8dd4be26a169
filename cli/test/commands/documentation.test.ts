import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterEndValues, senderNames } from '@svc/contract'
import { expect, test } from 'vitest'
import { testWith } from '../../../scripts/tests/needs.ts'
import { temporaryDirectory } from '../../../server/test/support/machine/temporary-directory.ts'
import { archiveFormats } from '../../src/arguments/archive-format.ts'
import { completions } from '../../src/documentation/completions.ts'
import { shells } from '../../src/documentation/shells.ts'
import { idleProgram } from '../../src/documentation/idle-program.ts'
import { zshCompletions } from '../support/zsh-completion.ts'
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

/** A folder with a configuration file, and a program in place of svc that prints what it is asked to list. */
async function completionFolder(): Promise<string> {
  const directory = await temporaryDirectory()
  await writeFile(join(directory, 'config.toml'), '[profiles.work]\n[profiles.home]\n')
  await writeFile(join(directory, 'svc'), '#!/bin/sh\necho "list:$1"\n', { mode: 0o755 })
  return directory
}

const environmentIn = (directory: string) => ({
  ...process.env,
  HOME: directory,
  SVC_CONFIG: join(directory, 'config.toml'),
  PATH: `${directory}:${process.env['PATH'] ?? ''}`,
})

async function bashCompletion(): Promise<(line: string) => string[]> {
  const bash = await completions(commands, idleProgram(), 'bash')
  const directory = await completionFolder()
  return (line) =>
    execFileSync(
      'bash',
      [
        '--norc',
        '-c',
        `eval "$1"; COMP_WORDS=($2); [[ $2 == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); COMP_LINE=$2 COMP_POINT=\${#2}; _svc; printf '%s\\n' "\${COMPREPLY[@]}"`,
        'bash',
        bash,
        line,
      ],
      { encoding: 'utf8', cwd: import.meta.dirname, env: environmentIn(directory) },
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
  expect(complete('svc --exp')).toEqual(['--expires'])
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
  expect(complete('svc config oneshot ')).toEqual(['true', 'false'])
  expect(complete('svc config ttl ')).toEqual([])
  expect(complete('svc upload --link ')).toEqual(['page', 'file'])
  expect(complete('svc --link ')).toEqual(['page', 'file'])
  expect(complete('svc request new --sender-name ')).toEqual([...senderNames])
  expect(complete('svc request new --after-end ')).toEqual([...afterEndValues])
  expect(complete('svc help who')).toEqual(['whoami'])
  expect(complete('svc send documentation')).toEqual(['documentation.test.ts'])
  expect(complete('svc send LINK documentation')).toEqual(['documentation.test.ts'])
})

test('bash completes names of the address book, profiles, and requests', async () => {
  const complete = await bashCompletion()
  expect(complete('svc keys rm ')).toEqual(['list:keys'])
  expect(complete('svc keys -P work rm ')).toEqual(['list:keys'])
  for (const option of ['--recipient', '-r']) expect(complete(`svc ${option} list`)).toEqual(['list:keys'])
  expect(complete('svc request show ')).toEqual(['list:request'])
  expect(complete('svc request new ')).toEqual([])
  for (const command of ['get', 'rm', 'info', 'resume', 'open', 'mail'])
    expect(complete(`svc ${command} `)).toEqual(['list:ls'])
  expect(complete('svc get one ')).toEqual(['list:ls'])
  expect(complete('svc rm one ')).toEqual([])
  expect(complete('svc -P ')).toEqual(['work', 'home'])
})

/** What the other shells complete as bash does, sorted. */
const examples: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['svc -a ', [...archiveFormats].sort()],
  ['svc --archive ', [...archiveFormats].sort()],
  ['svc upload --link ', ['file', 'page']],
  ['svc keys ', ['add', 'ls', 'rm']],
  ['svc keys rm ', ['list:keys']],
  ['svc request show ', ['list:request']],
  ['svc config oneshot ', ['false', 'true']],
  ['svc send ', ['config.toml', 'svc']],
  ['svc help who', ['whoami']],
  ['svc who', ['whoami']],
  ['svc -P ', ['home', 'work']],
  ['svc --exp', ['--expires']],
  ['svc -r ', ['config.toml', 'list:keys', 'svc']],
  ...['get', 'rm', 'info', 'resume', 'open', 'mail'].map((name) => [`svc ${name} `, ['list:ls']] as const),
  ['svc get one ', ['list:ls']],
  ['svc rm one ', []],
])

testWith(['fish'], 'fish completes as bash does', async () => {
  const script = await completions(commands, idleProgram(), 'fish')
  const directory = await completionFolder()
  const complete = (line: string) =>
    execFileSync('fish', ['--no-config', '-c', `${script}\ncomplete -C ${JSON.stringify(line)}`], {
      encoding: 'utf8',
      cwd: directory,
      env: environmentIn(directory),
    })
      .split('\n')
      .map((word) => word.split('\t')[0] ?? '')
      .filter((word) => word !== '')
      .sort()
  expect(new Map([...examples.keys()].map((line) => [line, complete(line)]))).toEqual(examples)
})

testWith(['zsh', 'python3'], 'zsh completes as bash does', async () => {
  const script = await completions(commands, idleProgram(), 'zsh')
  const directory = await completionFolder()
  const { HOME, SVC_CONFIG, PATH } = environmentIn(directory)
  const found = await zshCompletions(directory, { HOME, SVC_CONFIG, PATH }, script, [...examples.keys()])
  expect(found).toEqual(examples)
})

test.each(shells)('%s completes every command', async (shell) => {
  const script = await completions(commands, idleProgram(), shell)
  for (const name of Object.keys(commands)) expect(script).toMatch(new RegExp(`\\b${name}\\b`))
})
