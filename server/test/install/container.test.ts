import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { chown, mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeUnless } from '../../../scripts/tests/needs.ts'
import { missingPrograms, mountSkipReason } from '../../../scripts/tests/programs.ts'
import type { Provenance } from '../../../scripts/package/provenance.ts'
import type { Sbom } from '../../../scripts/package/sbom.ts'
import { smallDisk } from '../support/machine/small-disk.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { testComposeFiles } from './compose-tests.ts'
import { buildImage, type Containers } from './containers.ts'
import { mirrorSkipReason } from './debian-mirror.ts'

const reason =
  mountSkipReason ??
  missingPrograms('mmdebstrap', 'buildah', 'podman', 'netavark', 'aardvark-dns', 'iptables', 'runc') ??
  (await mirrorSkipReason('container images'))

/** The user of the image, whose number operators rely on. */
const user = 10001

describeUnless(reason, 'the container image', () => {
  let containers: Containers
  beforeAll(async () => {
    containers = await buildImage()
  })
  afterAll(() => containers.remove())

  test('an upload outlives kill -9, and SIGTERM ends the first process with status 0', async ({
    annotate,
  }) => {
    const began = performance.now()
    const first = containers.start('first', 'uploads')
    await first.url
    // A record for docs/install/container.md: nothing depends on it.
    await annotate(
      `from podman run to a server that listens: ${String(Math.round(performance.now() - began))} ms`,
    )
    const form = new FormData()
    form.set('file', new Blob(['hello']), 'hello.txt')
    const link = await (await fetch(await first.url, { method: 'POST', body: form })).text()
    await containers.run('kill', '--signal=KILL', 'first')
    expect((await first.ended).status).toBe(137)

    const second = containers.start('second', 'uploads')
    const { pathname } = new URL(link.trim())
    expect(await (await fetch((await second.url) + pathname)).text()).toBe('hello')
    await containers.run('stop', '--time=70', 'second')
    const { status, output } = await second.ended
    expect([status, output]).toEqual([0, expect.stringContaining('"msg":"stopped"')])
  })

  test('there is the command of the server and no shell, and the process is the first one, without root', async () => {
    const server = containers.start('server', 'admin')
    await server.url
    expect(await containers.run('exec', 'server', 'svcd', 'stats')).toMatch(/files +0/)
    await expect(containers.run('exec', 'server', 'sh')).rejects.toThrow('not found')
    const running =
      "const { pid, getuid } = process; console.log(require('fs').readlinkSync('/proc/1/exe'), getuid(), pid > 1)"
    expect(await containers.run('exec', 'server', 'node', '-e', running)).toBe(
      `/opt/svcd/bin/node ${String(user)} true\n`,
    )
    await containers.run('stop', '--time=70', 'server')
    await server.ended
  })

  test('the health check fails without a server', async () => {
    const [{ Healthcheck }] = JSON.parse(await containers.run('image', 'inspect', containers.image)) as [
      Inspected,
    ]
    const [kind, program = '', ...args] = Healthcheck.Test
    expect([kind, program]).toEqual(['CMD', 'node'])
    const server = containers.start('checked', 'admin')
    const { port } = new URL(await server.url)
    const check = (listening: string) =>
      containers.run('exec', `--env=SVCD_LISTEN_PORT=${listening}`, 'checked', program, ...args)
    await check(port)
    await expect(check('1')).rejects.toThrow()
    await containers.run('stop', '--time=70', 'checked')
    await server.ended
  })

  test('labels, a bill of materials and provenance describe it, and it is small', async () => {
    const [{ Labels, Size }] = JSON.parse(await containers.run('image', 'inspect', containers.image)) as [
      Inspected,
    ]
    expect(Labels).toMatchObject({
      'org.opencontainers.image.title': 'svcd',
      'org.opencontainers.image.licenses': 'MIT',
      'org.opencontainers.image.version': expect.stringMatching(/^\d+\.\d+\.\d+$/) as unknown,
      'org.opencontainers.image.revision': expect.stringMatching(/^[0-9a-f]{40}$/) as unknown,
      'org.opencontainers.image.created': expect.stringMatching(/^\d{4}-/) as unknown,
    })
    expect(Size).toBeLessThan(220e6)
    // The fastest compression is the least one: registries store less.
    const archive = join(await emptyDirectory(), 'image.tar.gz')
    const save = `podman save --quiet ${containers.image} | gzip -1 > ${archive}`
    execFileSync('bash', ['-o', 'pipefail', '-c', save], { env: containers.env })
    expect((await stat(archive)).size).toBeLessThan(120e6)

    const root = (await containers.run('image', 'mount', containers.image)).trim()
    const read = (path: string) => readFile(join(root, path))
    const sbom = JSON.parse(String(await read('opt/svcd/sbom.cdx.json'))) as Sbom
    expect(sbom.components.map(({ name }) => name)).toContain('node')
    const { subject } = JSON.parse(String(await read('opt/svcd/provenance.json'))) as Provenance
    const node = subject.find(({ name }) => name === 'bin/node')
    expect(node?.digest['sha256']).toBe(hash('sha256', await read('opt/svcd/bin/node')))
    // Scanners recognize Debian, and read the versions of its packages from here.
    expect(String(await read('usr/lib/os-release'))).toMatch(/^ID=debian$/m)
    expect(String(await read('var/lib/dpkg/status.d/libc6'))).toMatch(/^Version: 2\./m)
    await containers.run('image', 'unmount', containers.image)
  })

  test('a volume that is full, read-only or of another user is one clear line', async () => {
    const directory = await emptyDirectory()
    const own = join(directory, 'own')
    const foreign = join(directory, 'foreign')
    await Promise.all([mkdir(own), mkdir(foreign)])
    await chown(own, user, user)
    const disk = await smallDisk(64 * 1024)
    await chown(disk.path, user, user)
    try {
      const volumes = { 'read-only': `${own}:ro`, foreign, full: disk.path }
      const results = await Promise.all(
        Object.entries(volumes).map(async ([name, volume]) => [
          name,
          await containers.start(name, volume).ended,
        ]),
      )
      expect(Object.fromEntries(results)).toEqual({
        'read-only': { status: 1, output: expect.stringMatching(/^.*read-only.*\n$/) as unknown },
        foreign: { status: 1, output: expect.stringMatching(/^.*no permission for \/data.*\n$/) as unknown },
        full: { status: 1, output: expect.stringMatching(/^.*full.*\n$/) as unknown },
      })
    } finally {
      await disk.remove()
    }
  })

  testComposeFiles(() => containers)
})

interface Inspected {
  readonly Size: number
  readonly Labels: Readonly<Record<string, string>>
  readonly Healthcheck: { readonly Test: readonly string[] }
}
