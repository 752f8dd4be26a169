import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { newFolder, removeFolder } from '../../../scripts/test-servers/folders.ts'
import { debianMirror } from './debian-mirror.ts'

const execute = promisify(execFile)
const env = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C.UTF-8',
  DEBIAN_FRONTEND: 'noninteractive',
}

/** All processes in it end with the one that began it, and its mounts are removed with them. */
const namespaces = ['--mount', '--pid', '--fork', '--kill-child']
const enter =
  'mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && root=$1 && shift && chroot "$root" "$@"; exit $?'

/** A minimal Debian in a folder, without systemd as a process. */
export interface DebianRoot {
  readonly path: string
  /**
   * Runs a shell command as root.
   * @returns everything that it writes
   * @throws when it fails
   */
  run(command: string): Promise<string>
  /** Starts the installed server as its user. */
  serve(environment: string): Promise<{ readonly url: string; stop(): Promise<void> }>
  remove(): Promise<void>
}

/** @param packages installed beside those that every Debian has */
export async function debianRoot(packages: readonly string[]): Promise<DebianRoot> {
  const folder = newFolder('debian', { isInMemory: true })
  const path = join(folder, 'root')
  const processes = new Set<ChildProcess>()
  const args = (command: string) => [...namespaces, 'sh', '-c', enter, 'sh', path, 'sh', '-c', command]
  const root: DebianRoot = {
    path,
    async run(command) {
      const { stdout } = await execute('unshare', args(`{ ${command}; } 2>&1`), { env })
      return stdout
    },
    async serve(environment) {
      // The package logs JSON, which has the address.
      const server = `exec setpriv --reuid svcd --regid svcd --clear-groups env ${environment} svcd serve --config /etc/svcd.toml 2>&1`
      const child = spawn('unshare', args(`cd /var/lib/svcd && ${server}`), {
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      processes.add(child)
      const closed = new Promise((resolve) => child.once('close', resolve))
      for await (const line of createInterface(child.stdout)) {
        const url = /^(?:svcd listens on |\{.*"url":")(http[^"]*)\/(?:$|")/.exec(line)?.[1]
        if (url === undefined) continue
        const stop = async () => {
          child.kill('SIGKILL')
          child.stdout.resume()
          await closed
          processes.delete(child)
        }
        return { url, stop }
      }
      throw new Error('the server ended')
    },
    async remove() {
      for (const child of processes) child.kill('SIGKILL')
      await removeFolder(folder)
    },
  }
  try {
    const mirror = debianMirror()
    const made = ['--quiet', '--variant=essential', `--include=${packages.join(',')}`]
    const target = ['bookworm', path, ...(mirror === undefined ? [] : [mirror])]
    // In other namespaces, so that its mounts do not stay when the tests are killed.
    await execute('unshare', [...namespaces, '--mount-proc', 'mmdebstrap', ...made, ...target], { env })
    return root
  } catch (error) {
    await root.remove()
    throw error
  }
}
