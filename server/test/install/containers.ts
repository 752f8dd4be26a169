import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { startPodman, type Podman } from './podman.ts'

const scripts = resolve(import.meta.dirname, '../../../scripts')
const execute = promisify(execFile)

/** Where no other image can be fetched, this one has the name of Debian's. */
export const base = 'localhost/debian:bookworm-slim'
/** The image of the server. */
export const image = 'localhost/svcd:test'

/**
 * What the build runs in the base image, then what other containers of the tests run. They are unpacked and not set up, which takes a
 * quarter of the time.
 */
const programsOfBase = [
  'apt,dpkg,coreutils,dash,findutils,tar,sed,grep,debian-archive-keyring,base-files,base-passwd',
  'nginx-light,caddy,gettext-base,postgresql-15,util-linux,libatomic1',
].join(',')

/** A container with the image's command, whose root file system is read-only. */
export interface Container {
  readonly name: string
  /** Address of the server, as soon as it listens. @throws with the output when the container ends before */
  readonly url: Promise<string>
  /** The exit code, and everything that was written. */
  readonly ended: Promise<{ readonly status: number; readonly output: string }>
}

/** The image, and podman with it. */
export interface Containers extends Podman {
  readonly image: string
  /** Starts a server. @param volume name of a volume, or a folder, with options such as `:ro` */
  start(name: string, volume: string): Container
}

/** Builds the image as an operator does. */
export async function buildImage(): Promise<Containers> {
  const podman = await startPodman()
  const { env } = podman
  try {
    await podman.importDebian(base, ['--variant=extract', `--include=${programsOfBase}`])
    const build = [join(scripts, 'package/image.ts'), '--tag', image, '--', ...optionsOfBuild]
    await execute(process.execPath, build, { env: { ...env, DEBIAN_IMAGE: base }, maxBuffer: 1e8 })
    return { ...podman, image, start: (name, volume) => started(name, volume, env) }
  } catch (error) {
    await podman.remove()
    throw error
  }
}

/** Commands of the build only change the root: without namespaces, it also works in a container. */
const optionsOfBuild = ['--isolation=chroot', '--pull-never', '--quiet']

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
    const url = /"url":"([^"]*)\/","msg":"listening"/.exec(line)?.[1]
    if (url !== undefined) listening.resolve(url)
  }
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', read)
  const ended = once(child, 'close').then(([status]) => {
    listening.reject(new Error(`the container ended: ${output}`))
    return { status: Number(status), output }
  })
  return { name, url: listening.promise, ended }
}
