import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('a program that has nothing else to do waits until its folder is removed', () => {
  const folders = join(import.meta.dirname, '../../../../scripts/test-servers/folders.ts')
  const program = `
    import { newFolder, removeFolder } from ${JSON.stringify(folders)}
    const folder = newFolder('test', { isInMemory: false })
    await removeFolder(folder)
    console.log(folder)`
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  expect(printed).toContain('svc-test-')
  expect(existsSync(printed.trim())).toBe(false)
})
