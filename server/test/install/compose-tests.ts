import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { deploymentToolsSkipReason } from '../../../scripts/tests/deployment-tools.ts'
import { describeUnless, testWith } from '../../../scripts/tests/needs.ts'
import { selfSigned } from '../support/servers/self-signed.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { composeMachine, type ComposeMachine } from './compose-machine.ts'
import { commandsOf, composeFolder, transfers, waitFor } from './compose-scripts.ts'
import type { Containers } from './containers.ts'
import { makeImages } from './other-images.ts'
import { commandsOfPage } from './page-commands.ts'
import { testTwoServers } from './two-servers-tests.ts'

/** The images of other programs that the compose files name. */
const images = new Set(
  ['caddy', 'nginx', 'traefik', 'two-servers'].flatMap((name) => {
    const text = readFileSync(join(composeFolder, `${name}.yaml`), 'utf8')
    return [...text.matchAll(/image: (docker\.io\S+)/g)].map(([, image = '']) => image)
  }),
)

const name = 'files.example.org'
const url = `https://${name}`
/** The address of the proxy in the compose files. */
const hosts = { [name]: '172.31.78.2' }

const createAdmin = 'docker exec svc_svcd_1 svcd user create alice --admin --generate-password'
const createToken = 'token=$(docker exec svc_svcd_1 svcd token create alice)'

/** Tests that start the compose files. @param getContainers returns the image, once it is built */
export function testComposeFiles(getContainers: () => Containers): void {
  describeUnless(deploymentToolsSkipReason, 'compose files', () => {
    let machine: ComposeMachine | undefined
    const start = async () => {
      machine = await composeMachine(getContainers(), hosts)
      return machine
    }
    beforeAll(async () => {
      await makeImages(getContainers(), images, await emptyDirectory())
    })
    afterEach(async () => {
      await machine?.remove()
      machine = undefined
    })

    testWith(['curl'], 'the file of one machine starts a server, whose volume outlives it', async () => {
      const { run } = await start()
      const up = commandsOf('one-machine.yaml')
      const base = 'http://127.0.0.1:8080'
      const sent = await run(`
        ${up}
        ${transfers(base)}
        ${up.replace('up --detach', 'down')}
        if curl -fsS $link; then exit 1; fi
        ${up}
        ${waitFor('test "$(curl -fsS $link)" = hello')}
      `)
      expect(sent).toContain(`link ${base}/`)
    })

    testWith(['curl'], 'the page about containers starts a service with TLS and accounts', async () => {
      const commands = commandsOfPage('container')
      const { run } = await start()
      const started = await run(commands('Start it with TLS and accounts'))
      const [, password = ''] = /^password: (\S{32})$/m.exec(started) ?? []
      expect(password).not.toBe('')

      // No certificate can be fetched here: what uses the one of Caddy trusts its authority.
      await run(`
        ${waitFor('docker exec svc_proxy_1 cat /data/caddy/pki/authorities/local/root.crt > authority.crt')}
        docker cp authority.crt svc_svcd_1:/data/authority.crt
      `)
      const compose = /^compose\(\).*$/m.exec(commands('Start it with TLS and accounts'))?.[0] ?? ''
      const checks = commands('Start it with TLS and accounts', 1).replace(
        'exec svcd svcd',
        'exec --env NODE_EXTRA_CA_CERTS=/data/authority.crt svcd svcd',
      )
      const checked = await run(`export CURL_CA_BUNDLE=$PWD/authority.crt\n${compose}\n${checks}`)
      expect(checked).toMatch(/^ok {4}SvcDomain: https:\/\/files\.example\.org\/health is this service$/m)
      expect(checked).toMatch(/^0 errors/m)
      expect(checked).toMatch(/^ok$/m)

      const signIn = JSON.stringify({ login: 'alice', password })
      const guest = await run(`
        export CURL_CA_BUNDLE=$PWD/authority.crt
        curl -fsS -H 'Content-Type: application/json' -d '${signIn}' ${url}/auth/local/login
        echo hello > guest.txt
        echo "guest: $(curl -sS -F file=@guest.txt ${url}/)"
      `)
      expect(guest).toMatch(/guest: .*sign in/i)
      const sent = await run(`export CURL_CA_BUNDLE=$PWD/authority.crt\n${createToken}\n${transfers(url)}`)
      expect(sent).toContain(`link ${url}/`)
    })

    testWith(['curl', 'openssl'], 'nginx in front of one server passes uploads and streams on', async () => {
      const { run, path } = await start()
      const { cert, key } = selfSigned(path, { name: 'own', holder: `DNS:${name}`, days: 1 })
      const certificates = join(path, 'deploy/compose/certificates')
      const commands = commandsOf('nginx.yaml').replace(
        /^mkdir \S+/m,
        `$& && cp ${cert} ${certificates}/fullchain.pem && cp ${key} ${certificates}/privkey.pem`,
      )
      const sent = await run(
        `${commands}\n${createAdmin}\n${createToken}\n${transfers(url, `--cacert ${cert}`)}`,
      )
      expect(sent).toContain(`link ${url}/`)
    })

    test('Traefik in front of one server passes uploads and streams on', async () => {
      const { run } = await start()
      // It can fetch no certificate here, and uses its own.
      const sent = await run(
        `${commandsOf('traefik.yaml')}\n${createAdmin}\n${createToken}\n${transfers(url, '--insecure')}`,
      )
      expect(sent).toContain(`link ${url}/`)
    })

    testTwoServers(start)
  })
}
