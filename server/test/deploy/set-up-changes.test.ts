import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { explainNpmFailure } from '../../../scripts/setup/npm.mjs'
import { fallback, hasLibatomic, isOffered, pinned } from '../../../scripts/setup/runtime.mjs'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { emptyCheckout, fakeNpm, installedNode, setUp } from './set-up.ts'

let checkout: string
let npm: ReturnType<typeof fakeNpm>
beforeEach(async () => {
  checkout = emptyCheckout(join(await temporaryDirectory(), 'check out'))
  npm = fakeNpm(checkout)
})

const runtimes = () => join(checkout, '.runtime')
const link = () => join(checkout, 'node_modules/.bin/node')

/** Links a Node as an earlier set-up did. */
function linkNode(target: string): void {
  mkdirSync(dirname(link()), { recursive: true })
  symlinkSync(target, link())
}

/** The Node of npm for this machine. */
const offered = hasLibatomic() ? pinned : fallback

describeUnless(
  isOffered() ? null : 'Nodes from npm (on a system with the GNU C library)',
  'an update of Node',
  () => {
    test('is fetched even when the previous Node runs the set-up', async () => {
      const node = installedNode(checkout, '26.9.0')
      linkNode(node)
      // The machine has no npm.
      const { output } = await setUp(checkout, {
        node,
        env: { ...npm.env, npm_execpath: '', PATH: '/nowhere' },
      })
      expect(output).toContain(`Fetching Node ${offered}`)
      expect(realpathSync(link())).toContain(join(runtimes(), offered))
    })

    test('removes the previous Node and interrupted downloads, unless a process uses them', async () => {
      const node = installedNode(checkout, '26.9.0')
      for (const name of ['new-a', '25.0.0'])
        mkdirSync(join(runtimes(), name, 'node_modules'), { recursive: true })
      await setUp(checkout, { node, env: npm.env })
      expect(readdirSync(runtimes()).sort()).toEqual(['26.9.0', offered].sort())
    })
  },
)

test('a linked Node that does not run is replaced by npm start', async () => {
  const broken = join(checkout, 'broken')
  writeFileSync(broken, '#!/bin/sh\nexit 127\n', { mode: 0o755 })
  linkNode(broken)
  const { output } = await setUp(checkout, {
    command: ['sh', join(checkout, 'scripts/run.sh'), 'none.mjs'],
    env: { ...npm.env, npm_node_execpath: process.execPath, PATH: `${dirname(link())}:/usr/bin:/bin` },
  })
  // The checkout of this test has no sources to build.
  expect(output).toMatch(/^Installing packages/m)
  expect(realpathSync(link())).toBe(process.execPath)
})

test('no command depends on a script that npm leaves out with ignore-scripts', () => {
  const { scripts } = JSON.parse(
    readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8'),
  ) as { readonly scripts: Readonly<Record<string, string>> }
  expect(Object.keys(scripts).filter((name) => /^(pre|post)/.test(name))).toEqual([])
  for (const name of ['start', 'test', 'dev', 'check'])
    expect(scripts[name]).toMatch(/^(?:exec )?sh scripts\/run\.sh /)
})

test('a signal to npm reaches the program: no shell remains between them, which would not forward it', () => {
  for (const file of ['package.json', 'webapp/package.json']) {
    const path = resolve(import.meta.dirname, '../../..', file)
    const { scripts } = JSON.parse(readFileSync(path, 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>
    }
    for (const name of ['start', 'dev'])
      if (scripts[name] !== undefined) expect(scripts[name]).toMatch(/^exec /)
  }
})

test.each(['scripts/prepare.mjs', 'scripts/setup/main.cjs'])(
  'a Node that is too old is named by %s',
  async (script) => {
    const old = join(checkout, 'old.cjs')
    writeFileSync(old, "Object.defineProperty(process, 'version', { value: 'v12.22.12' })")
    const command = [process.execPath, '--require', old, join(checkout, script)]
    expect(await setUp(checkout, { command })).toEqual({
      status: 1,
      output:
        'Svc cannot be set up: Node 12.22.12 is too old: install Node 16 or newer, with its npm (https://nodejs.org/en/download).\n',
    })
  },
)

test('where its cache cannot be written, npm uses one in the checkout for the time of the set-up', async () => {
  await setUp(checkout, { env: { ...npm.env, npm_config_cache: join(checkout, 'package.json/cache') } })
  const cache = join(runtimes(), 'cache')
  expect(npm.calls().map((args) => args.filter((arg) => arg.startsWith('--cache')))).toContainEqual([
    `--cache=${cache}`,
  ])
  expect(existsSync(cache)).toBe(false)
})

test('settings of npm that change what is installed, or for which machine, do not apply', async () => {
  const env = {
    npm_config_dry_run: 'true',
    npm_config_package_lock_only: 'true',
    npm_config_package_lock: 'false',
    npm_config_global: 'true',
    npm_config_cpu: 's390x',
    npm_config_os: 'aix',
  }
  expect((await setUp(checkout, { env })).output).toMatch(/registry \(ECONNREFUSED\)/)
})

test('settings of npm that prevent the set-up are named', () => {
  expect(explainNpmFailure('npm error code ENOTCACHED\nnpm error request to … failed', checkout)).toMatch(
    /npm_config_offline=false/,
  )
  const target = 'npm error code ETARGET\nnpm error notarget No matching version found for npm@11.19.1.'
  expect(explainNpmFailure(target, checkout)).toMatch(
    /\(ETARGET: No matching version found for npm@11\.19\.1\.\).*min-release-age/,
  )
})

test('a failure is explained without the warnings about settings', () => {
  const output = 'npm warn config something\nnpm error code EOTHER\nnpm error it failed'
  expect(explainNpmFailure(output, basename(checkout))).toBe('npm failed: code EOTHER · it failed')
})
