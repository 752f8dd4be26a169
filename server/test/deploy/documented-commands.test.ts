import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
const check = resolve(root, 'scripts/docs/commands/check.ts')

test('every command of README.md and docs/ runs as it stands, or says why it is not tried', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [check], { cwd: root })
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^\d+ blocks ran; \d+ more are run by tests; not tried:\n(?: {2}\S+:\d+: .+\n)+$/)
})
