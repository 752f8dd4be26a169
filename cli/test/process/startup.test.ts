import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { bundled } from '../support/svc.ts'
import { temporaryDirectory } from '../../../server/test/support/machine/temporary-directory.ts'

let directory: string

beforeAll(async () => {
  directory = await temporaryDirectory()
  const printModules = `process.on('exit', () => { console.error(process.moduleLoadList.join('\\n')) })`
  await writeFile(join(directory, 'tell.cjs'), printModules)
})

/** The time to start depends on the machine; the loaded modules do not. */
test('--version does not load the modules that transfer files', async () => {
  const program = join(directory, 'svc.mjs')
  await writeFile(program, await bundled())
  const args = ['--require', join(directory, 'tell.cjs'), program, '--version']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toBe(`${packageFile.version}\n`)
  const loaded = stderr.split('\n')
  expect(loaded).toContain('NativeModule fs')
  for (const name of ['http', 'https', 'tls', 'zlib', 'readline', 'child_process'])
    expect(loaded).not.toContain(`NativeModule ${name}`)
})
