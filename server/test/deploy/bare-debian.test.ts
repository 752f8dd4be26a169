import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { isAllDemanded, lacking, lackingRoot } from '../../../scripts/tests/programs.ts'
import { bareRoot, debianMirror, type BareRoot, type User } from './bare-root.ts'

const clone = join(resolve(import.meta.dirname, '../../..'), '.git')
const lackingClone = existsSync(clone) ? null : 'bare machines (in a clone by git)'

/** Without a mirror that answers there is no Debian to begin with. */
async function lackingMirror(): Promise<string | null> {
  if (isAllDemanded) return null
  const url = `${debianMirror() ?? 'http://deb.debian.org/debian'}/dists/stable/Release`
  const answer = await fetch(url, { method: 'HEAD' }).catch(() => null)
  return answer?.ok === true ? null : 'bare machines (with a network that reaches a mirror of Debian)'
}

/** Sends a file with the machine's curl, has it back, and looks at the page. */
async function tryOut(root: BareRoot, user: User, url: string): Promise<void> {
  const page = await root.run(user, `curl -sSf ${url}/`)
  const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? ''
  await root.run(user, `curl -sSf -o script ${new URL(script, `${url}/`).href} && test -s script`)
  const size = 3_000_000
  await root.run(user, `head -c ${String(size)} /dev/urandom >sent`)
  const link = await root.run(user, `curl -sSf -F file=@sent ${url}/`)
  await root.run(user, `curl -sSf -o received ${link.trim()} && cmp sent received`)
}

const notice = /^Node 24\.\S+ is used, .* \(apt-get install libatomic1\)$/m
const work = /^(Fetching|Installing|Building) /m

const lackings = lackingRoot ?? lacking('mmdebstrap', 'git') ?? lackingClone ?? (await lackingMirror())

describeUnless(lackings, 'a bare Debian', () => {
  test.concurrent.for(['bookworm', 'trixie'])(
    '%s with npm alone: npm start serves, for root and for a user, and the next one has nothing to do',
    { timeout: 3_600_000 },
    async (release, { expect, onTestFinished }) => {
      const root = await bareRoot(release)
      onTestFinished(() => root.remove())
      for (const user of ['root', 'user'] as const) {
        await root.clone(user)
        const first = await root.start(user)
        await tryOut(root, user, first.url)
        await first.stop()
        expect(first.output).toMatch(notice)
        expect(first.output).toMatch(/^Installing packages … 75 %$/m)
        expect(first.output).not.toMatch(/npm (warn|error)/i)

        const second = await root.start(user)
        expect(second.output).not.toMatch(work)
        await tryOut(root, user, second.url)
        await second.stop()
      }
      // The library that the notice names, and what root has set up in the hands of a user.
      await root.run('root', 'apt-get -q update && apt-get -qy install libatomic1')
      const third = await root.start('root')
      expect(third.output).toMatch(/^Fetching Node 26/m)
      expect(third.output).not.toMatch(/^Installing|^Node 24/m)
      await tryOut(root, 'root', third.url)
      await third.stop()
      await root.run('root', 'mv svc /srv/svc')
      expect(await root.run('user', 'PATH=/srv/svc/node_modules/.bin:$PATH svcd --help')).toMatch(/serve/)
    },
  )
})
