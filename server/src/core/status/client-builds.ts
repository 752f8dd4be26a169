import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { glob, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ClientBuild } from '@svc/contract'

/** The client programs in `ClientsDirectory`; empty without the directory. */
export type ClientBuilds = () => Promise<ClientBuild[]>

/** The platforms of a program by its path below the directory: `svc.mjs`, `svc.sh`, `OS-ARCH/svc[.exe]`. */
const kinds = [
  { pattern: /^svc\.mjs$/, platform: () => ({ name: 'svc', os: 'any', arch: 'node' }) },
  { pattern: /^svc\.sh$/, platform: () => ({ name: 'svc.sh', os: 'any', arch: 'shell' }) },
  {
    pattern: /^([a-z0-9]+)-([a-z0-9]+)\/svc(\.exe)?$/,
    platform: ([, os = '', arch = '']: RegExpExecArray) => ({ name: 'svc', os, arch }),
  },
]

/** @param directory a file in it is read once, and again after a change */
export function clientBuilds(directory: string): ClientBuilds {
  const cached = new Map<string, { readonly state: string; readonly build: ClientBuild }>()

  async function describe(path: string): Promise<ClientBuild | undefined> {
    for (const { pattern, platform } of kinds) {
      const match = pattern.exec(path)
      if (match === null) continue
      const file = join(directory, path)
      const { size, mtimeMs } = await stat(file)
      const state = `${String(size)} ${String(mtimeMs)}`
      const previous = cached.get(path)
      if (previous?.state === state) return previous.build
      const build = { ...platform(match), path: `/clients/${path}`, size, ...(await digestsOf(file)) }
      cached.set(path, { state, build })
      return build
    }
    return undefined
  }

  return async () => {
    const paths = await Array.fromAsync(glob(['svc.*', '*-*/svc', '*-*/svc.exe'], { cwd: directory }))
    const builds = await Promise.all(
      paths
        .map((path) => path.replaceAll('\\', '/'))
        .sort()
        .map(describe),
    )
    return builds.filter((build) => build !== undefined)
  }
}

async function digestsOf(file: string): Promise<Pick<ClientBuild, 'sha256' | 'md5'>> {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')]
  await pipeline(createReadStream(file), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) for (const hash of [sha256, md5]) hash.update(chunk)
  })
  return { sha256: sha256.digest('hex'), md5: md5.digest('hex') }
}
