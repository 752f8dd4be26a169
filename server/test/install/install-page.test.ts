import { basename } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { missingPrograms, mountSkipReason } from '../../../scripts/tests/programs.ts'
import { makeDeb } from '../../../scripts/package/deb.ts'
import { copyProduct, thisSystem } from '../../../scripts/package/product.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { mirrorSkipReason } from './debian-mirror.ts'
import { commandsOfPage } from './page-commands.ts'
import { bootMachine, type Machine } from './systemd-machine.ts'
import { currentVersion, newerVersion } from './versions.ts'

const reason =
  mountSkipReason ??
  missingPrograms('mmdebstrap', 'dpkg', 'podman', 'netavark', 'runc') ??
  (await mirrorSkipReason('Debian machines'))

const commandsOf = commandsOfPage('debian')

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
    copyProduct(`${directory}/svcd`, { ...source, version: currentVersion })
    machine = await bootMachine(['libatomic1', 'libstdc++6', 'caddy', 'curl', 'sudo', 'rsync'])
    for (const version of [currentVersion, newerVersion]) {
      const deb = makeDeb(`${directory}/svcd`, { ...source, version }, thisSystem, directory)
      await machine.copyTo(deb, `/root/${basename(deb)}`)
    }
    await machine.run(`
      echo 'APT::Get::Assume-Yes "true";' > /etc/apt/apt.conf.d/yes
      echo '127.0.0.1 files.example.org' >> /etc/hosts
    `)
  })
  afterAll(() => machine.remove())

  test('its commands install, configure, back up, update, go back, restore and remove a server that systemd runs', async ({
    annotate,
  }) => {
    const began = performance.now()
    const serves = 'until curl -fsS http://127.0.0.1:8080/health; do sleep 0.1; done'
    expect(await machine.run(`${commandsOf('Install')}\n${serves}`)).toMatch(/^active$/m)

    const proxy = commandsOf('Put Caddy in front')
      .replace(/(?=^systemctl reload)/m, ownCertificates)
      .replace(/(?<=^systemctl reload.*\n)/m, trust)
    const configured = await machine.run(`${commandsOf('Configure')}\n${serves}\n${proxy}`)
    expect(configured).toMatch(/^password: \S{32}$/m)
    expect(configured).toMatch(/^0 errors/m)
    expect(configured).toMatch(/^ok$/m)

    // A record for docs/install/debian.md: nothing depends on it.
    await annotate(
      `from the package to TLS and accounts: ${String(Math.round((performance.now() - began) / 1000))} s`,
    )

    await machine.run(commandsOf('Back up'))
    expect(await machine.run(`cat /var/backups/svcd.jsonl`)).toMatch(/"alice"/)

    const update = commandsOf('Update').replace('VERSION', newerVersion)
    expect(await machine.run(`${update}\n${serves}`)).toMatch(/^active$/m)
    expect(await machine.run("dpkg-query --show --showformat='${Version}' svcd")).toBe(newerVersion)
    expect(await machine.run('sudo -u svcd svcd user list --config /etc/svcd.toml')).toMatch(/alice/)

    await machine.run(`
      sudo -u svcd svcd user create later --generate-password --config /etc/svcd.toml
      ${commandsOf('Go back').replace('VERSION', currentVersion)}
      ${commandsOf('Restore')}
      ${serves}
    `)
    expect(await machine.run("dpkg-query --show --showformat='${Version}' svcd")).toBe(currentVersion)
    const restored = await machine.run('sudo -u svcd svcd user list --config /etc/svcd.toml')
    expect([restored.includes('alice'), restored.includes('later')]).toEqual([true, false])

    await machine.run(commandsOf('Remove'))
    expect(await machine.run('ls /etc /var/lib')).not.toMatch(/svcd/)
  })
})
