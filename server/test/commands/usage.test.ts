import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { svcd } from './command-line.ts'

let directory: string
beforeAll(async () => {
  directory = await emptyDirectory()
})

const groups = {
  '': ['serve', 'clean', 'verify', 'check', 'user', 'token', 'upload', 'stats', 'export', 'import'],
  user: ['create', 'list', 'show', 'data', 'update', 'rebind', 'delete'],
  token: ['create', 'list', 'delete'],
  upload: ['list', 'show', 'delete'],
}

const leaves = Object.entries(groups).flatMap(([group, commands]) =>
  commands.filter((name) => !(name in groups)).map((name) => [group, name].filter(Boolean)),
)

test('svcd man is a valid manual page, with every command and option', async () => {
  const { status, output, stderr } = await svcd(directory, ['man'])
  expect([status, stderr]).toEqual([0, ''])
  const rendered = execFileSync('man', ['--warnings=all', '-l', '-'], {
    input: output,
    encoding: 'utf8',
    env: { ...process.env, MANWIDTH: '100', LC_ALL: 'C.UTF-8', MANPAGER: 'cat' },
  })
  for (const names of leaves) expect(rendered).toMatch(new RegExp(`^ +svcd ${names.join(' ')} `, 'm'))
})

describe('help', () => {
  test.each(Object.entries(groups))('svcd %s --help names its commands', async (group, commands) => {
    const { status, output, stderr } = await svcd(directory, [...group.split(' '), '--help'].filter(Boolean))
    expect([status, stderr]).toEqual([0, ''])
    for (const command of commands) expect(output).toMatch(new RegExp(`^ +${command}  +\\w`, 'm'))
  })

  test.each(leaves)('svcd %s %s --help shows the usage and explains each option', async (...names) => {
    const { status, output, stderr } = await svcd(directory, [...names, '-h'])
    expect([status, stderr]).toEqual([0, ''])
    expect(output).toContain(`USAGE svcd ${names.join(' ')} [OPTIONS]`)
    expect(output).toMatch(/--config=<FILE> {2,}\w/)
    // eslint-disable-next-line no-control-regex -- where no terminal is, nothing is coloured
    expect(output).not.toMatch(/\x1b/)
  })

  test('after -- it is an argument like any other', async () => {
    const { status, stderr } = await svcd(directory, ['user', 'show', '--', '--help'])
    expect([status, stderr]).toEqual([1, 'the user local:--help does not exist'])
  })

  test('svcd --version prints the version', async () => {
    expect((await svcd(directory, ['--version'])).output).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

test.each([
  [[], 'a command is missing (see svcd --help)'],
  [['fly'], 'there is no command svcd fly (see svcd --help)'],
  [['--json'], 'there is no command svcd --json (see svcd --help)'],
  [['toString'], 'there is no command svcd toString (see svcd --help)'],
  [['user'], 'a command is missing (see svcd user --help)'],
  [['user', 'fly'], 'there is no command svcd user fly (see svcd user --help)'],
  [['user', 'show'], 'Missing required positional argument: USER (see svcd user show --help)'],
  [['user', 'show', 'bob', 'eve'], 'unexpected argument: eve (see svcd user show --help)'],
  [['user', 'show', 'bob', '--jsno'], "Unknown option '--jsno' (see svcd user show --help)"],
  [
    ['user', 'show', 'bob', '--json=no'],
    "Option '--json' does not take an argument (see svcd user show --help)",
  ],
  [
    ['user', 'update', 'bob', '--name'],
    "Option '--name <value>' argument missing (see svcd user update --help)",
  ],
  [
    ['user', 'list', '--limit=0'],
    '--limit must be a whole number from 1 to 100000 (see svcd user list --help)',
  ],
  [
    ['upload', 'delete', '--address=192.0.2.7', '--address', '0.0.0.0/0', '--yes'],
    '--address is given twice (see svcd upload delete --help)',
  ],
  [['user', 'list', '--admin', '--no-admin'], '--admin is given twice (see svcd user list --help)'],
  [['upload', 'delete'], 'name an upload, or a network with --address (see svcd upload delete --help)'],
  [
    ['upload', 'delete', 'AAAAAAAAAAAAAAAA', '--user', 'bob'],
    '--user needs --address (see svcd upload delete --help)',
  ],
  [
    ['upload', 'list', '--address', '192.0.2.300'],
    '--address must be a network such as `10.0.0.0/8` (see svcd upload list --help)',
  ],
  [['stats', 'all'], 'unexpected argument: all (see svcd stats --help)'],
  [['stats', '\x07'], 'unexpected argument: \\u0007 (see svcd stats --help)'],
  [['clean', '--dry'], "Unknown option '--dry' (see svcd clean --help)"],
  [['export'], 'Missing required positional argument: FILE (see svcd export --help)'],
])('svcd %j is refused with status 2, and says how it is called', async (args, reason) => {
  const { status, output, stderr } = await svcd(directory, args)
  expect([status, output]).toEqual([2, ''])
  expect(stderr.endsWith(reason)).toBe(true)
})

test('an option takes no other option for its value', async () => {
  const { status, stderr } = await svcd(directory, ['user', 'update', 'bob', '--name', '--admin'])
  expect(status).toBe(2)
  expect(stderr).toContain('--name')
})

test('a wrong configuration is reported with status 2', async () => {
  const { status, stderr } = await svcd(directory, ['stats', '--config', 'none.toml'])
  expect(status).toBe(2)
  expect(stderr).toContain('none.toml')
})
