import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { missingPrograms, mountSkipReason } from '../../../scripts/tests/programs.ts'
import { makeDeb } from '../../../scripts/package/deb.ts'
import { copyProduct, thisSystem } from '../../../scripts/package/product.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { mirrorSkipReason } from './debian-mirror.ts'
import { bootMachine, type Machine } from './systemd-machine.ts'

const reason =
  mountSkipReason ??
  missingPrograms('mmdebstrap', 'dpkg', 'podman', 'runc') ??
  (await mirrorSkipReason('Debian machines'))

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/install/debian.md'), 'utf8')

/** The commands of a section of the page, as they stand. */
function commandsOf(section: string): string {
  const [, text = ''] = page.split(`\n## ${section}\n`)
  const [, commands] = /^[^#]*?```sh\n(.*?)```/s.exec(text) ?? []
  if (commands === undefined) throw new Error(`the section ${section} has no commands`)
  return commands
}

/** No certificate can be fetched here: Caddy makes one, which curl trusts. */
const ownCertificates = `
printf '{\\n local_certs\\n skip_install_trust\\n}\\n' | cat - /etc/caddy/Caddyfile > /tmp/Caddyfile
cp /tmp/Caddyfile /etc/caddy/Caddyfile
`
const trust = `
until test -e /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt; do sleep 0.1; done
cp /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt /tmp/authority.crt
chmod 644 /tmp/authority.crt
echo 'Defaults env_keep += "NODE_EXTRA_CA_CERTS"' > /etc/sudoers.d/certificates
export CURL_CA_BUNDLE=/tmp/authority.crt NODE_EXTRA_CA_CERTS=/tmp/authority.crt
`

describeUnless(reason, 'the page about Debian servers', () => {
  let machine: Machine
  beforeAll(async () => {
    const directory = await emptyDirectory()
    const source = { revision: undefined, epoch: 1_700_000_000 }
    copyProduct(`${directory}/svcd`, { ...source, version: '0.1.0' })
    machine = await bootMachine(['libatomic1', 'libstdc++6', 'caddy', 'curl', 'sudo', 'rsync'])
    for (const version of ['0.1.0', '0.2.0']) {
      const deb = makeDeb(`${directory}/svcd`, { ...source, version }, thisSystem, directory)
      await machine.copyTo(deb, `/root/${basename(deb)}`)
    }
    await machine.run(`
      echo 'APT::Get::Assume-Yes "true";' > /etc/apt/apt.conf.d/yes
      echo '127.0.0.1 files.example.org' >> /etc/hosts
    `)
  })
  afterAll(() => machine.remove())

  test('its commands install, configure, back up, update and remove a server that systemd runs', async () => {
    const serves = 'until curl -fsS http://127.0.0.1:8080/health; do sleep 0.1; done'
    expect(await machine.run(`${commandsOf('Install')}\n${serves}`)).toMatch(/^active$/m)

    const proxy = commandsOf('Put Caddy in front')
      .replace(/(?=^systemctl reload)/m, ownCertificates)
      .replace(/(?<=^systemctl reload.*\n)/m, trust)
    const configured = await machine.run(`${commandsOf('Configure')}\n${serves}\n${proxy}`)
    expect(configured).toMatch(/^password: \S{32}$/m)
    expect(configured).toMatch(/^0 errors/m)
    expect(configured).toMatch(/^ok$/m)

    await machine.run(commandsOf('Back up'))
    expect(await machine.run(`cat /var/backups/svcd.jsonl`)).toMatch(/"alice"/)

    expect(await machine.run(`${commandsOf('Update')}\n${serves}`)).toMatch(/^active$/m)
    expect(await machine.run('sudo -u svcd svcd user list --config /etc/svcd.toml')).toMatch(/alice/)

    await machine.run(commandsOf('Remove'))
    expect(await machine.run('ls /etc /var/lib')).not.toMatch(/svcd/)
  })
})
