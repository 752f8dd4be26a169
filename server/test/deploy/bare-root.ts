import { execFile, spawn } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env } from 'node:process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { debianMirror } from '../install/debian-mirror.ts'

const checkout = resolve(import.meta.dirname, '../../..')
const run = promisify(execFile)

/** Every process in it ends, and every mount goes, when the process that began it is killed. */
const ownNamespaces = ['--mount', '--pid', '--fork', '--kill-child']

/** What people have on a machine on which nothing was installed for Svc. */
const installed = 'npm,git,curl,ca-certificates'

/** Manuals and translations, which no program here reads. */
const leftOut = ['man', 'doc', 'locale', 'info'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)

/** A server that was started with `npm start`. */
export interface Started {
  readonly url: string
  /** Everything that was written until it listened. */
  readonly output: string
  stop(): Promise<void>
}

/** A Debian without anything that Svc needs but npm, in a folder. */
export interface BareRoot extends AsyncDisposable {
  /**
   * Runs a shell command as a user, in the user's home.
   * @returns what it writes
   * @throws when it fails
   */
  run(user: User, command: string): Promise<string>
  /** Clones the checkout as `svc` into the user's home. */
  clone(user: User): Promise<void>
  /**
   * Types `npm start` in that clone, and waits until the server listens.
   * @throws with the output when it ends before
   */
  start(user: User): Promise<Started>
}

export type User = 'root' | 'user'

const homes: Readonly<Record<User, string>> = { root: '/root', user: '/home/user' }

/** Settings of this machine that say how packages are reached: proxies, and a registry. */
const environment = Object.entries(env).flatMap(([name, value]) =>
  /^(https?_proxy|no_proxy|npm_config_registry)$/i.test(name) ? [`${name}=${value ?? ''}`] : [],
)

/** Where programs are that make machines; a user's own path may lack some. */
const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const system = { ...env, PATH: systemPath }

/**
 * Creates a bare Debian.
 * @param release its name, such as `bookworm`
 */
export async function bareRoot(release: string): Promise<BareRoot> {
  const folder = await mkdtemp(join(tmpdir(), `svc-${release}-`))
  const removed = new AbortController()
  const remove = async () => {
    removed.abort()
    // What was killed just now may still write.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  try {
    const root = await createRoot(release, join(folder, 'root'), removed.signal)
    return { ...root, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

type RootCommands = Omit<BareRoot, typeof Symbol.asyncDispose>

/** @param removed ends all processes in it */
async function createRoot(release: string, path: string, removed: AbortSignal): Promise<RootCommands> {
  const killable = { env: system, signal: removed, killSignal: 'SIGKILL', maxBuffer: 1e8 } as const
  const enter = (user: User, command: string) => {
    const home = homes[user]
    const variables = [`HOME=${home}`, `PATH=${systemPath}`, 'LC_ALL=C.UTF-8', ...environment]
    const mounts = 'mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && cd / && root=$1 && shift'
    // The shell stays the parent of what it runs: its end ends all other processes.
    const script = `${mounts} && chroot --userspec=${user}:${user} "$root" "$@"; exit $?`
    const inside = ['env', '-i', ...variables, 'sh', '-c', `cd ${home} && ${command}`]
    return [...ownNamespaces, 'sh', '-c', script, 'sh', path, ...inside]
  }

  const mirror = debianMirror()
  const mmdebstrap = ['mmdebstrap', '--quiet', '--variant=minbase', `--include=${installed}`, ...leftOut]
  const target = [release, path, ...(mirror === undefined ? [] : [mirror])]
  await run('unshare', [...ownNamespaces, '--mount-proc', ...mmdebstrap, ...target], killable)
  // DNS, certificates and npm settings, so that the root reaches the network as this machine does.
  const networkFiles = ['/etc/resolv.conf', '/usr/local/share/ca-certificates', join(homedir(), '.npmrc')]
  for (const file of networkFiles.filter(existsSync))
    cpSync(file, join(path, file.replace(homedir(), homes.root)), { recursive: true, dereference: true })

  const root: RootCommands = {
    async run(user, command) {
      const { stdout } = await run('unshare', enter(user, command), killable)
      return stdout
    },
    async clone(user) {
      await run('git', [
        'clone',
        '--quiet',
        '--depth=1',
        `file://${checkout}`,
        join(path, homes[user], 'svc'),
      ])
      await root.run('root', `chown -R ${user}:${user} ${homes[user]}`)
    },
    start: (user) => startProgram(enter(user, 'cd svc && SVCD_LISTEN_PORT=0 exec npm start 2>&1'), removed),
  }
  await root.run('root', 'update-ca-certificates >&2 && useradd --create-home user')
  await root.run('root', 'test ! -e .npmrc || install -o user .npmrc /home/user/')
  return root
}

async function startProgram(args: readonly string[], signal: AbortSignal): Promise<Started> {
  const child = spawn('unshare', args, {
    env: system,
    stdio: ['ignore', 'pipe', 'inherit'],
    signal,
    killSignal: 'SIGKILL',
  })
  child.on('error', () => undefined) // it was ended: what it wrote is too short
  const ended = new Promise((resolve) => child.once('close', resolve))
  let output = ''
  for await (const line of createInterface(child.stdout)) {
    output += `${line}\n`
    const url = /^svcd listens on (.*)\/$/.exec(line)?.[1]
    if (url === undefined) continue
    const stop = async () => {
      // The process that waits for the others passes no other signal on.
      child.kill('SIGKILL')
      child.stdout.resume()
      await ended
    }
    return { url, output, stop }
  }
  throw new Error(`npm start ended: ${output}`)
}
