import type { Version } from '@svc/contract'

export type ClientBuild = Version['clients'][number]

/** A platform in the notation of build names; empty if unknown. */
export interface Platform {
  readonly os: '' | 'linux' | 'darwin' | 'windows'
  readonly arch: '' | 'amd64' | 'arm64'
}

/** The operating system of the browser. Undefined on phones and tablets, which have no terminal. */
export function detectPlatform(userAgent: string): Platform {
  if (/Android|iPhone|iPad|CrOS/.test(userAgent)) return { os: '', arch: '' }
  const arch = /aarch64|arm64/i.test(userAgent)
    ? 'arm64'
    : /x86_64|x64|Win64|WOW64/i.test(userAgent)
      ? 'amd64'
      : ''
  if (userAgent.includes('Windows')) return { os: 'windows', arch }
  // All browsers on a Mac report an Intel processor.
  if (userAgent.includes('Mac OS X')) return { os: 'darwin', arch: '' }
  return { os: userAgent.includes('Linux') ? 'linux' : '', arch }
}

const sameOs = { macos: 'darwin', win32: 'windows', win: 'windows' } as Readonly<Record<string, string>>
const sameArch = { x64: 'amd64', x86_64: 'amd64', aarch64: 'arm64' } as Readonly<Record<string, string>>

const osOf = ({ os }: ClientBuild) => sameOs[os] ?? os
const archOf = ({ arch }: ClientBuild) => sameArch[arch] ?? arch

/** Whether a build runs on a system, as far as both are known. */
export function matchesPlatform(build: ClientBuild, system: Platform): boolean {
  if (system.os === '' || osOf(build) !== system.os) return false
  return system.arch === '' || archOf(build) === system.arch
}

/** Builds for the current system first, then those for the same operating system, then the others. */
export function sortByPlatform(builds: readonly ClientBuild[], system: Platform): readonly ClientBuild[] {
  const rank = (build: ClientBuild) => {
    if (matchesPlatform(build, system)) return 0
    return system.os !== '' && osOf(build) === system.os ? 1 : 2
  }
  return builds.toSorted((a, b) => rank(a) - rank(b))
}

const names = { linux: 'Linux', darwin: 'macOS', windows: 'Windows', freebsd: 'FreeBSD' } as Readonly<
  Record<string, string>
>

/** Display name of a build's system; empty for a build that runs anywhere. */
export function platformName(build: ClientBuild): string {
  const os = osOf(build)
  if (os === 'any') return ''
  return [names[os] ?? os, build.arch].filter((part) => part !== '').join(' ')
}

const runtimes = { node: 'Node.js', shell: 'sh, curl' } as Readonly<Record<string, string>>

/** Requirement of a build that runs anywhere; empty for others. */
export const requirements = (build: ClientBuild): string =>
  osOf(build) === 'any' ? (runtimes[build.arch] ?? build.arch) : ''
