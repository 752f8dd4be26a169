import { expect } from 'vitest'
import { missingGoTools } from '../../../scripts/tests/go-tools.ts'
import { testUnless } from '../../../scripts/tests/needs.ts'
import { missingPrograms } from '../../../scripts/tests/programs.ts'
import type { ComposeMachine } from './compose-machine.ts'
import { commandsOf, stream, transfers, waitFor } from './compose-scripts.ts'

const base = 'http://127.0.0.1:8080'
/** The servers, at their addresses in the file: the machine reaches them without the proxy, too. */
const servers = ['http://172.31.77.3:8080', 'http://172.31.77.4:8080'] as const
const [first, second] = servers
const container = (service: string) => `svc-two-servers_${service}_1`

/** The commands of the file. A user writes the secrets between them. */
const commands = commandsOf('two-servers.yaml').replace(
  /^cp .*$/m,
  `$&\nsed -i 's/^[A-Z]*_[A-Z]*=$/&secret1234/' deploy/compose/compose.env`,
)
const compose = commands.slice(commands.lastIndexOf('docker compose')).replace(' up --detach', '')

const bothAreReady = servers.map((server) => waitFor(`curl -fsS ${server}/ready`)).join('\n')

const script = `
${commands}
# Podman 4 does not wait for the health of the database, as Docker Compose does. The check would read the rest of this script.
${waitFor(`docker healthcheck run ${container('database')} < /dev/null`)}

# Before the first request through nginx, which does not ask a server that refused a connection for 10 s.
${bothAreReady}
${transfers(base)}
curl -fsS -H 'Accept: text/html' ${base}/ > page
grep -qi '<!doctype html' page
${stream(first, second)}
${stream(second, first)}

# More than the buffers of sockets contain, and one part of the store.
head -c 15000000 /dev/urandom > large.bin
large=$(curl -fsS -F file=@large.bin ${base}/)
mkfifo download
curl -sS -N "\${large/${base}/${first}}" > download &
{
  head -c 1000000 > part
  docker kill ${container('svcd1')}
  cat >> part
} < download
if wait $!; then echo 'the download of a killed server is complete'; exit 1; fi
for download in 1 2 3 4 5 6; do test "$(curl -fsS $link)" = hello; done
curl -fsS --continue-at - --output part $large
cmp part large.bin

${compose} start svcd1
${bothAreReady}
docker kill ${container('svcd2')}
${waitFor('test "$(curl -fsS $link)" = hello')}
${compose} start svcd2
${bothAreReady}
${stream(first, second)}

${compose} down
if curl -fsS $link; then echo 'a service that is down responds'; exit 1; fi
${compose} up --detach
${bothAreReady}
${waitFor('test "$(curl -fsS $link)" = hello')}
curl -fsS $large | cmp - large.bin
echo 'all files are kept'
`

/** Tests that start the file of two servers. @param start a machine */
export function testTwoServers(start: () => Promise<ComposeMachine>): void {
  const title = 'two servers share a database and a store, and one of them does without the other'
  const body = async () => {
    const { run } = await start()
    const output = await run(script)
    expect(output).toContain(`link ${base}/`)
    expect(output).toContain('all files are kept')
  }
  const missing = missingGoTools('versitygw')
  testUnless(missingPrograms('curl') ?? missing, `${title}: versitygw`, body)
  if (missing !== null) testUnless(missingPrograms('curl'), `${title}: a stand-in instead of versitygw`, body)
}
