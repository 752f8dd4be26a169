import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { glob, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ClientBuild } from '@svc/contract'

/** The programs that people send and fetch with, as they lie in `ClientsDirectory`; nothing where there are none. */
export type ClientBuilds = () => Promise<ClientBuild[]>

/** What a program runs on, by its path below the directory: `svc.mjs`, `svc.sh`, `OS-ARCH/svc[.exe]`. */
const kinds = [
  { pattern: /^svc\.mjs$/, of: () => ({ name: 'svc', os: 'any', arch: 'node' }) },
  { pattern: /^svc\.sh$/, of: () => ({ name: 'svc.sh', os: 'any', arch: 'shell' }) },
  {
    pattern: /^([a-z0-9]+)-([a-z0-9]+)\/svc(\.exe)?$/,
    of: ([, os = '', arch = '']: RegExpExecArray) => ({ name: 'svc', os, arch }),
  },
]

/** @param directory each file is read once, and again when it changes */
export function clientBuilds(directory: string): ClientBuilds {
  const known = new Map<string, { readonly state: string; readonly build: ClientBuild }>()

  async function describe(path: string): Promise<ClientBuild | undefined> {
    for (const { pattern, of } of kinds) {
      const found = pattern.exec(path)
      if (found === null) continue
      const file = join(directory, path)
      const { size, mtimeMs } = await stat(file)
      const state = `${String(size)} ${String(mtimeMs)}`
      const before = known.get(path)
      if (before?.state === state) return before.build
      const build = { ...of(found), path: `/clients/${path}`, size, ...(await digestsOf(file)) }
      known.set(path, { state, build })
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
    for await (const chunk of chunks) for (const hash of [sha256, md5] satisfies Hash[]) hash.update(chunk)
  })
  return { sha256: sha256.digest('hex'), md5: md5.digest('hex') }
}
