import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { bundled } from '../support/svc.ts'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-startup-'))
  const tell = `process.on('exit', () => { console.error(process.moduleLoadList.join('\\n')) })`
  await writeFile(join(directory, 'tell.cjs'), tell)
})
afterAll(() => rm(directory, { recursive: true }))

/** What starting takes depends on the machine; what is loaded for it does not. */
test('the version is told without loading what moves files', async () => {
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
