import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newFolder, removeFolder } from '../../../scripts/test-servers/folders.ts'
import { debianMirror } from './debian-mirror.ts'

const execute = promisify(execFile)

/** Podman with a separate storage, so that the machine's containers stay as they are. */
export interface Podman {
  /** Variables with which other programs use the same storage. */
  readonly env: NodeJS.ProcessEnv
  /**
   * Runs a command of podman.
   * @returns its output
   * @throws when it fails
   */
  run(...args: readonly string[]): Promise<string>
  /**
   * Makes an image of a minimal Debian. No registry is needed.
   * @param options options of mmdebstrap
   */
  importDebian(image: string, options: readonly string[]): Promise<void>
  /** Ends all containers, and removes the storage. */
  remove(): Promise<void>
}

const storage = (folder: string) =>
  `[storage]\ndriver = "overlay"\ngraphroot = "${folder}/storage"\nrunroot = "${folder}/run"\n`

/** The defaults of limits exceed what this machine may grant. Networks of Netavark have names, and belong to the folder. */
const engine = (folder: string) => `
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
netns = "host"
[network]
network_backend = "netavark"
network_config_dir = "${folder}/networks"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
`

/** Installed by the package debian-archive-keyring. */
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'

export async function startPodman(): Promise<Podman> {
  const folder = newFolder('containers', { isInMemory: true })
  const settings = {
    CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
    CONTAINERS_CONF: join(folder, 'containers.conf'),
  }
  const env = { ...process.env, ...settings, TMPDIR: folder }
  await writeFile(settings.CONTAINERS_STORAGE_CONF, storage(folder))
  await writeFile(settings.CONTAINERS_CONF, engine(folder))
  const run = async (...args: readonly string[]) =>
    (await execute('podman', args, { env, maxBuffer: 1e8 })).stdout
  return {
    env,
    run,
    async importDebian(image, options) {
      const file = join(folder, 'debian.tar')
      const mirror = debianMirror() ?? 'http://deb.debian.org/debian'
      const source = `deb [signed-by=${keyring}] ${mirror} bookworm main`
      await execute('mmdebstrap', ['--quiet', ...options, 'bookworm', file, source], { env })
      await run('import', '--quiet', file, image)
      await rm(file)
    },
    async remove() {
      await run('rm', '--all', '--force', '--time=0')
      // Its layers are mounted until they are removed.
      await run('image', 'unmount', '--all', '--force')
      await removeFolder(folder)
    },
  }
}
