import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { bundled } from '../support/svc.ts'
import { emptyDirectory, startSvcd } from '../../../server/test/support/servers/svcd.ts'
import { temporaryDirectory } from '../../../server/test/support/machine/temporary-directory.ts'

let directory: string

beforeAll(async () => {
  directory = await temporaryDirectory()
  const printModules = `process.on('exit', () => { console.error(process.moduleLoadList.join('\\n')) })`
  await writeFile(join(directory, 'tell.cjs'), printModules)
})

/** The time to start depends on the machine; the loaded modules do not. */
async function loadedBy(
  args: readonly string[],
): Promise<{ readonly output: string; readonly loaded: readonly string[] }> {
  const program = join(directory, 'svc.mjs')
  await writeFile(program, await bundled())
  const words = ['--require', join(directory, 'tell.cjs'), program, ...args]
  const env = { PATH: process.env['PATH'], HOME: directory }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words, { env })
  return { output: stdout, loaded: stderr.split('\n') }
}

test('--version does not load the modules that transfer files', async () => {
  const { output, loaded } = await loadedBy(['--version'])
  expect(output).toBe(`${packageFile.version}\n`)
  expect(loaded).toContain('NativeModule fs')
  for (const name of ['http', 'https', 'tls', 'zlib', 'readline', 'child_process'])
    expect(loaded).not.toContain(`NativeModule ${name}`)
})

test('transfers over HTTP load neither TLS, nor compression, nor the fetch of Node', async () => {
  const server = await startSvcd(await emptyDirectory())
  onTestFinished(async () => {
    server.kill('SIGKILL')
    await server.ended
  })
  const file = join(directory, 'file.txt')
  await writeFile(file, 'content')
  const sent = await loadedBy([file, '--server', server.url])
  const received = await loadedBy(['get', sent.output.trim(), '-o', join(directory, 'received')])
  for (const { loaded } of [sent, received]) {
    expect(loaded).toContain('NativeModule http')
    for (const name of ['https', 'tls', 'zlib', 'internal/deps/undici/undici'])
      expect(loaded).not.toContain(`NativeModule ${name}`)
  }
})
