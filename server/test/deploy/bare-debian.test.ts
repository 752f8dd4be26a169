import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test, type ExpectStatic } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { missingPrograms, mountSkipReason } from '../../../scripts/tests/programs.ts'
import { bareRoot, type BareRoot, type User } from './bare-root.ts'
import { mirrorSkipReason } from '../install/debian-mirror.ts'

const checkout = resolve(import.meta.dirname, '../../..')
const clone = join(checkout, '.git')
const cloneSkipReason = existsSync(clone) ? null : 'bare machines (in a clone by git)'

const reason =
  mountSkipReason ??
  missingPrograms('mmdebstrap', 'git') ??
  cloneSkipReason ??
  (await mirrorSkipReason('bare machines'))

/** Sends a file with the machine's curl, downloads it, and looks at the page. */
async function tryOut(root: BareRoot, user: User, url: string): Promise<void> {
  const page = await root.run(user, `curl -sSf ${url}/`)
  const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? ''
  await root.run(user, `curl -sSf -o script ${new URL(script, `${url}/`).href} && test -s script`)
  const size = 3_000_000
  await root.run(user, `head -c ${String(size)} /dev/urandom >sent`)
  const link = await root.run(user, `curl -sSf -F file=@sent ${url}/`)
  await root.run(user, `curl -sSf -o received ${link.trim()} && cmp sent received`)
}

/** The first start prepares the clone with progress, the second one has nothing to do. */
async function startTwice(root: BareRoot, user: User, expect: ExpectStatic): Promise<void> {
  await root.clone(user)
  const first = await root.start(user)
  await tryOut(root, user, first.url)
  await first.stop()
  expect(first.output).toMatch(/^Node 24\.\S+ is used, .* \(apt-get install libatomic1\)$/m)
  expect(first.output).toMatch(/^Installing packages … 75 %$/m)
  expect(first.output).not.toMatch(/npm (warn|error)/i)

  const second = await root.start(user)
  expect(second.output).not.toMatch(/^(Fetching|Installing|Building) /m)
  await tryOut(root, user, second.url)
  await second.stop()
}

/** The command of the image's first stage, which builds the checkout. The other stages are tested with the image. */
function buildOfImage(): string {
  const text = readFileSync(join(checkout, 'deploy/Containerfile'), 'utf8')
  const [, stage = ''] = /^FROM .* AS package$(.*?)^FROM /ms.exec(text) ?? []
  const [, command] = /^RUN ((?:.*\\\n)*.*)/m.exec(stage) ?? []
  if (command === undefined) throw new Error('the Containerfile has no stage that packages')
  return command
}

/** Packages the clone as the image does: without its repository. */
async function packageForImage(root: BareRoot, expect: ExpectStatic): Promise<void> {
  await root.run('root', `mv svc/.git repository && cd svc && ${buildOfImage()} >&2`)
  expect(await root.run('root', '/package/bin/svcd --version && ls /package/sbom.cdx.json')).toMatch(
    /^[\d.]+\n\/package\/sbom\.cdx\.json$/m,
  )
  await root.run('root', 'mv repository svc/.git')
}

const machine = { timeout: 3_600_000 }

describeUnless(reason, 'a machine with npm alone', () => {
  test.concurrent(
    'Debian 12, a user: npm start serves, and npm test tests what it can',
    machine,
    async ({ expect }) => {
      await using root = await bareRoot('bookworm')
      await startTwice(root, 'user', expect)
      const output = await root.run(
        'user',
        'cd svc && npm_config_ignore_scripts=true npm test -- --project cli cli/test/commands/json.test.ts 2>&1',
      )
      expect(output).toMatch(/apt-get install .*chromium/)
      expect(output).toMatch(/Tests .*passed/)
    },
  )

  test.concurrent(
    'Debian 13, root: npm start serves, then by the newer Node, without it again, and for a user',
    machine,
    async ({ expect }) => {
      await using root = await bareRoot('trixie')
      await startTwice(root, 'root', expect)
      // The library that the notice names.
      await root.run('root', 'apt-get -q update && apt-get -qy install libatomic1')
      const third = await root.start('root')
      expect(third.output).toMatch(/^Fetching Node 26/m)
      expect(third.output).not.toMatch(/^Installing|^Node 24/m)
      await tryOut(root, 'root', third.url)
      await third.stop()
      await packageForImage(root, expect)
      await root.run('root', 'apt-get -qy remove libatomic1')
      const fourth = await root.start('root')
      expect(fourth.output).toMatch(/^Node 24\.\S+ is used, .* \(apt-get install libatomic1\)$/m)
      await fourth.stop()
      await root.run('root', 'mv svc /srv/svc')
      expect(await root.run('user', 'PATH=/srv/svc/node_modules/.bin:$PATH svcd --help')).toMatch(/serve/)
    },
  )
})
