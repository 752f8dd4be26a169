import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../../test/support/machine/temporary-directory.ts'
import { readingSource, whyNotOpened } from './unreadable-source.ts'

const failing = (code: string) => () =>
  Promise.reject(Object.assign(new Error(code), { code, path: '/srv/plik/plik.db' }))

test('a missing permission is explained without the advice to run as the owner', async () => {
  await expect(readingSource(failing('EACCES'))).rejects.toThrow(
    /^no permission to read \/srv\/plik\/plik\.db: make it readable for the user .*, who runs this command$/,
  )
})

test('other errors stay as they are', async () => {
  await expect(readingSource(failing('EIO'))).rejects.toThrow(/^EIO$/)
})

test('a log without its index is the reason why a database is not opened', async () => {
  const path = join(await temporaryDirectory(), 'plik.db')
  expect(whyNotOpened(path)?.message).toMatch(/plik\.db does not exist/)
  await writeFile(path, '')
  expect(whyNotOpened(path)).toBeUndefined()
  await writeFile(`${path}-wal`, '')
  expect(whyNotOpened(path)?.message).toMatch(
    /to read its log .*-wal, SQLite must create .*-shm, and the user/,
  )
  await writeFile(`${path}-shm`, '')
  expect(whyNotOpened(path)).toBeUndefined()
})
