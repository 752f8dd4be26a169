import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const program = path.join(import.meta.dirname, '../../../../clients/svc.mjs')

export interface SvcEnd {
  readonly status: number
  readonly output: string
  readonly stderr: string
}

/** The client as the server distributes it, on a computer without a configuration. */
export async function installSvc(server: string) {
  const home = await mkdtemp(path.join(tmpdir(), 'svc-e2e-client-'))
  const at = (name: string) => path.join(home, name)
  const run = async (...args: readonly string[]): Promise<SvcEnd> => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: home,
      env: { PATH: process.env['PATH'], HOME: home, SVC_SERVER: server },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    const [status] = (await once(child, 'close')) as [number]
    return { status, output, stderr }
  }
  /** The names in a folder; none where it does not exist. */
  const names = async (folder: string) => (await readdir(at(folder)).catch(() => [])).toSorted()
  const read = (name: string) => readFile(at(name))
  let downloads = 0
  return {
    run,
    /**
     * `svc get` of a link into a new folder.
     * @param address of the server; by default, the one of the installation
     */
    get: async (link: string, address = server) => {
      const to = `got-${String((downloads += 1))}`
      const end = await run('get', link.replace(/^http:\/\/[^/]+/, address), '-o', `${to}/`)
      return { ...end, names: await names(to), read: (name: string) => read(`${to}/${name}`) }
    },
    /** Writes a file to send. */
    write: async (name: string, content: Uint8Array | string) => {
      await mkdir(path.dirname(at(name)), { recursive: true })
      await writeFile(at(name), content)
    },
    read,
    names,
    remove: () => rm(home, { recursive: true, force: true }),
  }
}

export type Svc = Awaited<ReturnType<typeof installSvc>>
