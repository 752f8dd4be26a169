import { spawnSync } from 'node:child_process'
import { accessSync, constants, globSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { env } from 'node:process'

/** A program that tests use and npm does not install. */
interface Program {
  /** Name of the program for users. */
  readonly name: string
  /** The command, or the path in Debian's package. A pattern matches any version. */
  readonly file: string
  /** Environment variable with another path. */
  readonly variable?: string
  /** Whether Ubuntu has it as a snap only, which has no program at the path. */
  readonly isSnapInUbuntu?: true
  /** Whether the program at a path is suitable. */
  readonly isNew?: (path: string) => boolean
}

/** Older releases lack `network.addDataCollector` of WebDriver BiDi. */
const minFirefox = 143

/** A file in the directory of Firefox contains its release. */
function isFirefoxNew(path: string): boolean {
  try {
    const settings = readFileSync(join(dirname(realpathSync(path)), 'application.ini'), 'utf8')
    const [, release] = /^Version=(\d+)/m.exec(settings) ?? []
    return release === undefined || Number(release) >= minFirefox
  } catch {
    return true
  }
}

/** Programs by the Debian package that contains them. */
const programs = {
  chromium: {
    name: 'Chromium',
    file: '/usr/bin/chromium',
    variable: 'SVC_CHROMIUM',
    isSnapInUbuntu: true,
  },
  'chromium-headless-shell': { name: 'Chromium without windows', file: '/usr/bin/chromium-headless-shell' },
  'firefox-esr': {
    name: `Firefox ${String(minFirefox)} or newer`,
    file: '/usr/bin/firefox-esr',
    variable: 'SVC_FIREFOX',
    isSnapInUbuntu: true,
    isNew: isFirefoxNew,
  },
  'webkit2gtk-driver': { name: 'WebKit', file: '/usr/bin/WebKitWebDriver' },
  xvfb: { name: 'Xvfb', file: 'Xvfb' },
  caddy: { name: 'Caddy', file: 'caddy' },
  'nginx-light': { name: 'nginx', file: '/usr/sbin/nginx' },
  curl: { name: 'curl', file: 'curl' },
  wget: { name: 'wget', file: 'wget' },
  rclone: { name: 'rclone', file: 'rclone' },
  aria2: { name: 'aria2', file: 'aria2c' },
  sqlite3: { name: 'sqlite3', file: 'sqlite3' },
  openssl: { name: 'OpenSSL', file: 'openssl' },
  python3: { name: 'Python', file: 'python3' },
  'golang-go': { name: 'Go', file: 'go' },
  'python3-tuspy': { name: 'tuspy', file: '/usr/lib/python3/dist-packages/tusclient/__init__.py' },
  'python3-venv': { name: 'venv of Python', file: '/usr/lib/python3*/ensurepip/__init__.py' },
  unzip: { name: 'unzip', file: 'unzip' },
  zstd: { name: 'zstd', file: 'zstd' },
  'xz-utils': { name: 'xz', file: 'xz' },
  bzip2: { name: 'bzip2', file: 'bzip2' },
  jq: { name: 'jq', file: 'jq' },
  webp: { name: 'img2webp', file: 'img2webp' },
  fish: { name: 'fish', file: 'fish' },
  zsh: { name: 'zsh', file: 'zsh' },
  'libarchive-tools': { name: 'bsdtar', file: 'bsdtar' },
  'p7zip-full': { name: '7-Zip', file: '7z' },
  'man-db': { name: 'man', file: 'man' },
  'openssh-client': { name: 'ssh-keygen', file: '/usr/bin/ssh-keygen' },
  age: { name: 'age', file: '/usr/bin/age' },
  minisign: { name: 'minisign', file: 'minisign' },
  postgresql: { name: 'PostgreSQL', file: '/usr/lib/postgresql/*/bin/initdb' },
  'mariadb-server': { name: 'MariaDB', file: '/usr/bin/mariadb-install-db' },
  radosgw: { name: 'Ceph radosgw', file: '/usr/bin/radosgw' },
  'ceph-mon': { name: 'Ceph monitor', file: '/usr/bin/ceph-mon' },
  'ceph-osd': { name: 'Ceph storage', file: '/usr/bin/ceph-osd' },
  'swift-proxy': { name: 'Swift', file: '/usr/bin/swift-proxy-server' },
  'swift-account': { name: 'Swift accounts', file: '/usr/bin/swift-account-server' },
  'swift-container': { name: 'Swift containers', file: '/usr/bin/swift-container-server' },
  'swift-object': { name: 'Swift objects', file: '/usr/bin/swift-object-server' },
  memcached: { name: 'memcached', file: '/usr/bin/memcached' },
  'python3-keystone': { name: 'Keystone', file: '/usr/bin/keystone-wsgi-public' },
  'python3-keystonemiddleware': {
    name: 'Keystone for Swift',
    file: '/usr/lib/python3/dist-packages/keystonemiddleware/auth_token',
  },
  e2fsprogs: { name: 'mkfs.ext4', file: '/sbin/mkfs.ext4' },
  prometheus: { name: 'promtool', file: 'promtool' },
  faketime: { name: 'faketime', file: '/usr/lib/*/faketime/libfaketimeMT.so.1' },
  git: { name: 'Git', file: 'git' },
  mmdebstrap: { name: 'mmdebstrap', file: 'mmdebstrap' },
  dpkg: { name: 'dpkg', file: 'dpkg-deb' },
  systemd: { name: 'systemd', file: 'systemd-analyze' },
  buildah: { name: 'buildah', file: 'buildah' },
  podman: { name: 'podman', file: 'podman' },
  netavark: { name: 'Netavark', file: '/usr/lib/podman/netavark' },
  'aardvark-dns': { name: 'Aardvark DNS', file: '/usr/lib/podman/aardvark-dns' },
  iptables: { name: 'iptables', file: '/usr/sbin/iptables' },
  // The other run-time, crun, does not run where both versions of control groups are mounted.
  runc: { name: 'runc', file: '/usr/sbin/runc' },
} as const satisfies Record<string, Program>

/** A Debian package that tests need. */
export type Package = keyof typeof programs

export const packages = Object.keys(programs) as readonly Package[]

/** Set where every program is required: tests that need a missing one fail instead of being skipped. */
export const areAllRequired = env['SVC_TEST_SERVERS'] === 'all'

export const isInstalled = (package_: Package): boolean => {
  const { file, variable, isNew = () => true }: Program = programs[package_]
  const set = variable === undefined ? undefined : env[variable]
  if (set !== undefined) return isNew(set)
  return file.includes('/') ? globSync(file).some(isNew) : isCommand(file)
}

function isCommand(name: string): boolean {
  return (env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/**
 * The missing programs and how to install them, such as `Firefox (apt-get install firefox-esr)`; null when all packages are
 * installed or required.
 */
export function missingPrograms(...needed: readonly Package[]): string | null {
  const missing = areAllRequired ? [] : needed.filter((package_) => !isInstalled(package_))
  if (missing.length === 0) return null
  const names = missing.map((package_) => programs[package_].name)
  return `${names.join(', ')} (${waysToInstall(missing, isUbuntu())})`
}

/** How the tests get programs: their packages, or the variables with paths of programs from elsewhere. */
export function waysToInstall(missing: readonly Package[], inUbuntu: boolean): string {
  const bySource = Object.groupBy(missing, (package_) => {
    const program: Program = programs[package_]
    return inUbuntu && program.isSnapInUbuntu ? 'elsewhere' : 'packages'
  })
  return [
    ...(bySource.packages === undefined ? [] : [`apt-get install ${bySource.packages.join(' ')}`]),
    ...(bySource.elsewhere ?? []).map((package_) => {
      const { name, variable = '' }: Program = programs[package_]
      return `Ubuntu has no package of ${name}: set ${variable} to its path`
    }),
  ].join('; ')
}

function isUbuntu(): boolean {
  try {
    return /^ID=ubuntu$/m.test(readFileSync('/etc/os-release', 'utf8'))
  } catch {
    return false
  }
}

/** The reason for skipping tests that mount file systems; null where they run. */
export const mountSkipReason: string | null = findMountSkipReason()

/** Why files cannot be given to another user; null when they can. */
export const ownerSkipReason =
  process.getuid?.() === 0 ? null : 'files of other users (run the tests as root)'

function findMountSkipReason(): string | null {
  if (process.getuid?.() !== 0) return 'mounting file systems (run the tests as root)'
  const isAllowed = spawnSync('unshare', ['--mount', 'true']).status === 0
  return isAllowed ? null : 'mounting file systems (this container or chroot does not allow it)'
}

/** The reason for skipping tests of Linux features; null where they run. */
export const linuxSkipReason: string | null = process.platform === 'linux' ? null : 'features of Linux'
