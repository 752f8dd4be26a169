import type { ClientBuild } from '@svc/contract'
import type { Installed } from '../program/program.ts'

const systems: Readonly<Record<string, readonly string[]>> = {
  win32: ['windows', 'win32', 'win'],
  darwin: ['darwin', 'macos'],
}
const processors: Readonly<Record<string, readonly string[]>> = {
  x64: ['x64', 'amd64', 'x86_64'],
  arm64: ['arm64', 'aarch64'],
}

export interface Machine {
  readonly platform: NodeJS.Platform
  readonly arch: string
}

/** The server's program of the installed kind. */
export function findBuild(
  builds: readonly ClientBuild[],
  { kind }: Installed,
  { platform, arch }: Machine,
): ClientBuild | undefined {
  const own = builds.filter(({ name }) => name === 'svc')
  if (kind === 'bundle') return own.find((build) => build.os === 'any' && build.arch === 'node')
  return own.find(
    (build) =>
      (systems[platform] ?? [platform]).includes(build.os) &&
      (processors[arch] ?? [arch]).includes(build.arch),
  )
}
