import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { debianMirror } from './debian-mirror.ts'

const scripts = resolve(import.meta.dirname, '../../../scripts')
const execute = promisify(execFile)

/** Where no other image can be fetched, this one has the name of Debian's. */
const base = 'localhost/debian:bookworm-slim'
const image = 'localhost/svcd:test'

/** What the build runs in the base image. They are unpacked and not set up, which takes a quarter of the time. */
const programsOfBase =
  'apt,dpkg,coreutils,dash,findutils,tar,sed,grep,debian-archive-keyring,base-files,base-passwd'
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'

/** A container with the image's command, whose root file system is read-only. */
export interface Container {
  readonly name: string
  /** Address of the server, as soon as it listens. @throws with the output when the container ends before */
  readonly url: Promise<string>
  /** The exit code, and everything that was written. */
  readonly ended: Promise<{ readonly status: number; readonly output: string }>
}

/** The image, in a separate storage, so that the machine's containers stay as they are. */
export interface Containers {
  readonly image: string
  /**
   * Runs a command of podman.
   * @returns its output
   * @throws when it fails
   */
  podman(...args: readonly string[]): Promise<string>
  /** Starts a server. @param volume name of a volume, or a folder, with options such as `:ro` */
  start(name: string, volume: string): Container
  /** Ends all containers, and removes the storage. */
  remove(): Promise<void>
}

/** Builds the image as an operator does. */
export async function buildImage(): Promise<Containers> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-containers-'))
  const settings = {
    CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
    CONTAINERS_CONF: join(folder, 'containers.conf'),
  }
  const env = { ...process.env, ...settings, TMPDIR: folder }
  await writeFile(settings.CONTAINERS_STORAGE_CONF, storage(folder))
  await writeFile(settings.CONTAINERS_CONF, engine)
  const podman = async (...args: readonly string[]) =>
    (await execute('podman', args, { env, maxBuffer: 1e8 })).stdout
  const containers: Containers = {
    image,
    podman,
    start: (name, volume) => started(name, volume, env),
    async remove() {
      await podman('rm', '--all', '--force', '--time=0')
      // Its layers are mounted until they are removed.
      await podman('image', 'unmount', '--all', '--force')
      await rm(folder, { recursive: true, force: true })
    },
  }
  try {
    await importBase(join(folder, 'base.tar'), podman)
    const build = [join(scripts, 'package/image.ts'), '--tag', image, '--', ...optionsOfBuild]
    await execute(process.execPath, build, { env: { ...env, DEBIAN_IMAGE: base }, maxBuffer: 1e8 })
    return containers
  } catch (error) {
    await containers.remove()
    throw error
  }
}

/** Commands of the build only change the root: without namespaces, it also works in a container. */
const optionsOfBuild = ['--isolation=chroot', '--pull-never', '--quiet']

const storage = (folder: string) =>
  `[storage]\ndriver = "overlay"\ngraphroot = "${folder}/storage"\nrunroot = "${folder}/run"\n`

/** The defaults of limits exceed what this machine may grant. */
const engine = `
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
netns = "host"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
`

async function importBase(file: string, podman: Containers['podman']): Promise<void> {
  const mirror = debianMirror() ?? 'http://deb.debian.org/debian'
  const source = `deb [signed-by=${keyring}] ${mirror} bookworm main`
  const made = ['--quiet', '--variant=extract', `--include=${programsOfBase}`, 'bookworm', file, source]
  await execute('mmdebstrap', made)
  await podman('import', '--quiet', file, base)
  await rm(file)
}

const command = ['run', '--rm', '--read-only', '--no-healthcheck', '--pull=never']
/** Only this machine reaches it, and the system chooses the port. */
const variables = ['--env=SVCD_LISTEN_ADDRESS=127.0.0.1', '--env=SVCD_LISTEN_PORT=0']

function started(name: string, volume: string, env: NodeJS.ProcessEnv): Container {
  const mount = `--volume=${volume.replace(/^([^:]+)/, '$1:/data')}`
  const child = spawn('podman', [...command, `--name=${name}`, ...variables, mount, image], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const listening = Promise.withResolvers<string>()
  // A container that is to fail has no address, and its test does not ask for it.
  listening.promise.catch(() => undefined)
  const read = (line: string) => {
    output += `${line}\n`
    const url = /^svcd listens on (.*)\/$/.exec(line)?.[1]
    if (url !== undefined) listening.resolve(url)
  }
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', read)
  const ended = once(child, 'close').then(([status]) => {
    listening.reject(new Error(`the container ended: ${output}`))
    return { status: Number(status), output }
  })
  return { name, url: listening.promise, ended }
}
