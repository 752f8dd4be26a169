import { expect, test } from 'vitest'
import { rowSpace } from './row-space.ts'

const changeBytes = 48 * 1024
const minFreeSpace = 1_000_000
const full = { code: 'no_space' }

/** The space of a disk whose free bytes the test sets. */
function diskWith(free: number) {
  const disk = { free, now: 0, measurements: 0, failure: undefined as Error | undefined }
  const clock = { now: () => disk.now, every: () => () => undefined }
  const freeSpace = () => {
    disk.measurements += 1
    return disk.failure === undefined ? Promise.resolve(disk.free) : Promise.reject(disk.failure)
  }
  return { disk, space: rowSpace({ freeSpace, minFreeSpace, clock }) }
}

test.each([
  ['of a database on another machine', { freeSpace: undefined, minFreeSpace }],
  ['without a reserve', { freeSpace: () => Promise.resolve(0), minFreeSpace: 0 }],
])('the space %s is unlimited', async (_name, options) => {
  const space = rowSpace({ ...options, clock: { now: () => 0, every: () => () => undefined } })
  await space.require(1e15)
  await space.requireForLogin()
  expect(await space.hasSpace(1e15)).toBe(true)
  expect(space.freeSpace).toBe(options.freeSpace)
})

test('a row fits down to the reserve, with a copy of its texts in the log', async () => {
  const exact = minFreeSpace + changeBytes + 2 * 500
  await diskWith(exact).space.require(500)
  await expect(diskWith(exact - 1).space.require(500)).rejects.toMatchObject(full)
  await diskWith(minFreeSpace + changeBytes).space.require()
})

test('a login fits down to an eighth of the reserve', async () => {
  const exact = minFreeSpace / 8 + changeBytes
  await diskWith(exact).space.requireForLogin()
  await expect(diskWith(exact - 1).space.requireForLogin()).rejects.toMatchObject(full)
})

test('bytes fit down to the reserve, and a question uses none of them', async () => {
  const { space } = diskWith(minFreeSpace + 10)
  expect(await space.hasSpace(11)).toBe(false)
  expect(await space.hasSpace(10)).toBe(true)
  expect(await space.hasSpace(10)).toBe(true)
})

test('rows that share a measurement do not share its space', async () => {
  const { disk, space } = diskWith(minFreeSpace + 3 * changeBytes)
  const admitted = await Promise.allSettled(Array.from({ length: 10 }, () => space.require()))
  expect(admitted.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(disk.measurements).toBe(1)
})

test('a row counts until the measurement after the next, by which time it is written', async () => {
  const { disk, space } = diskWith(minFreeSpace + 2 * changeBytes)
  await space.require()
  await space.require()
  disk.now += 1_000
  await expect(space.require()).rejects.toMatchObject(full)
  await space.require()
  await space.require()
  await expect(space.require()).rejects.toMatchObject(full)
})

test('a measurement is reused for a second, unless a row does not fit', async () => {
  const { disk, space } = diskWith(minFreeSpace + 2 * changeBytes)
  expect(await space.hasSpace(1)).toBe(true)
  disk.now += 999
  expect(await space.hasSpace(1)).toBe(true)
  expect(disk.measurements).toBe(1)
  disk.now += 1
  expect(await space.hasSpace(1)).toBe(true)
  expect(disk.measurements).toBe(2)
  disk.free += 10 * changeBytes
  await space.require(3 * changeBytes)
  expect(disk.measurements).toBe(3)
})

test('a failed measurement fails the request, and the next one measures again', async () => {
  const { disk, space } = diskWith(minFreeSpace + changeBytes)
  disk.failure = new Error('the disk is gone')
  await expect(space.require()).rejects.toThrow('the disk is gone')
  disk.failure = undefined
  await space.require()
})
