import { expect, test } from 'vitest'
import { restrictionsOf } from './restrictions.ts'

const restrictions = (hasProgramFiles: boolean) =>
  restrictionsOf({
    databaseClock: { isTrusted: () => true },
    freeSpace: { resume: () => Promise.resolve() },
    rowSpace: { hasSpace: () => Promise.resolve(true) },
    databaseSpace: { isFull: () => false, isReadOnly: () => false },
    hasProgramFiles: () => hasProgramFiles,
  })

test('files of the program that were deleted or replaced are a restriction', async () => {
  expect(await restrictions(true)).toEqual([])
  expect(await restrictions(false)).toMatchObject([{ code: 'program_files_missing' }])
})
