import { execFileSync } from 'node:child_process'
import { copyFile, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeUnless, testWith } from '../../../scripts/tests/needs.ts'
import { missingPrograms, mountSkipReason } from '../../../scripts/tests/programs.ts'
import { writeChecksums } from '../../../scripts/package/checksums.ts'
import { makeDeb } from '../../../scripts/package/deb.ts'
import { copyProduct } from '../../../scripts/package/product.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { mirrorSkipReason } from './debian-mirror.ts'
import { debianRoot, type DebianRoot } from './debian-root.ts'
import { currentVersion, newerVersion } from './versions.ts'

const reason =
  mountSkipReason ?? missingPrograms('mmdebstrap', 'dpkg') ?? (await mirrorSkipReason('Debian packages'))

const source = { version: currentVersion, revision: undefined, epoch: 1_700_000_000 }
const system = 'linux-x64'

const unlisted = ['/proc*', '/var/lib/dpkg/*', '/var/log/*', '/etc/.pwd.lock', '/etc/shadow', '/etc/gshadow']
  .map((path) => `! -path "${path}"`)
  .join(' ')

describeUnless(reason, 'the Debian package', () => {
  let directory: string
  let product: string
  let deb: string
  beforeAll(async () => {
    directory = await emptyDirectory()
    product = join(directory, 'svcd')
    copyProduct(product, source)
    deb = makeDeb(product, source, system, directory)
  })

  test('two builds in two folders are equal', async () => {
    const other = join(await emptyDirectory(), 'elsewhere')
    copyProduct(other, source)
    const second = makeDeb(other, source, system, other)
    expect((await readFile(second)).equals(await readFile(deb))).toBe(true)
  })

  testWith(['minisign'], 'its checksums are signed with the key of minisign', () => {
    const key = join(directory, 'key')
    execFileSync('minisign', ['-G', '-W', '-p', `${key}.pub`, '-s', key])
    expect(writeChecksums(directory, [deb], key)).toHaveLength(2)
    execFileSync('minisign', ['-V', '-p', `${key}.pub`, '-m', join(directory, 'SHA256SUMS')])
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: directory })
    // An unsigned build leaves no signature of an earlier one.
    expect(writeChecksums(directory, [deb], undefined)).toHaveLength(1)
  })

  describe('in a minimal Debian', () => {
    let root: DebianRoot
    let before: string
    /** All files, without those of programs that manage packages and users. */
    const list = () => root.run(`find / -xdev ${unlisted} ! -name "*-" | sort`)
    const install = async (file: string, options = '') => {
      await copyFile(file, join(root.path, 'tmp', basename(file)))
      await root.run(`dpkg --install ${options} /tmp/${basename(file)} && rm /tmp/${basename(file)}`)
    }
    const stateOf = (path: string) => root.run(`stat -c "%U %G %a" ${path}`)

    beforeAll(async () => {
      root = await debianRoot(['libatomic1', 'libstdc++6', 'systemd-standalone-sysusers'])
      before = await list()
    })
    afterAll(() => root.remove())

    test('it is installed, serves, is upgraded with its settings and files, removed and purged', async () => {
      await install(deb)
      expect(await stateOf('/etc/svcd.toml')).toBe('root svcd 640\n')
      expect(await stateOf('/var/lib/svcd')).toBe('svcd svcd 750\n')
      expect(await root.run('readlink /etc/systemd/system/multi-user.target.wants/svcd.service')).toMatch(
        /svcd\.service/,
      )
      // Its cache belongs to the user, and stays.
      const versions = await root.run('NODE_DISABLE_COMPILE_CACHE=1 svc --version && svcd --version')
      expect(versions.match(/[\d.]+(?=\n)/g)).toEqual([currentVersion, currentVersion])

      const port = 'SVCD_LISTEN_PORT=0'
      const first = await root.serve(port)
      const link = await (await fetch(`${first.url}/a.txt`, { method: 'PUT', body: 'hello' })).text()
      await first.stop()
      await root.run('sed -i s/json/pretty/ /etc/svcd.toml')

      await install(makeDeb(product, { ...source, version: newerVersion }, system, directory))
      expect(await root.run('cat /etc/svcd.toml')).toMatch(/^LogFormat = "pretty"$/m)
      expect(await stateOf('/etc/svcd.toml')).toBe('root svcd 640\n')
      const second = await root.serve(port)
      expect(await (await fetch(second.url + new URL(link.trim()).pathname)).text()).toBe('hello')
      await second.stop()

      // A configuration that was deleted, and that dpkg restores, is as secret as a new one.
      await root.run('rm /etc/svcd.toml')
      await install(deb, '--force-confmiss')
      expect(await stateOf('/etc/svcd.toml')).toBe('root svcd 640\n')

      await root.run('dpkg --remove svcd')
      expect(await root.run('ls /etc/svcd.toml /var/lib/svcd/svc.db')).toMatch(/svc\.db/)
      await root.run('dpkg --purge svcd')
      expect(await list()).toBe(before)
      expect(await root.run('getent passwd svcd')).toMatch(/^svcd:/)
    })
  })
})

const unit = resolve(import.meta.dirname, '../../../deploy/svcd.service')

testWith(['systemd'], 'the unit is valid, and systemd rates its exposure at most 2.0 of 10', () => {
  execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit])
})
