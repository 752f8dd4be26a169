import { expect, test } from 'vitest'
import { StoreUnavailableError } from '../../data/backend/backend.ts'
import type { BudgetKey } from '../../domain/access/budget-key.ts'
import { freeSpaceGuard, type Space } from './free-space.ts'

const minFreeSpace = 100
const full = { code: 'no_space' }

/** The space of a disk that the test fills, and the announcements at other instances. */
function diskWith(free: number) {
  const disk = {
    free,
    now: 0,
    elsewhere: new Map<BudgetKey | null, number>(),
    failure: undefined as Error | undefined,
  }
  const guard = freeSpaceGuard({
    data: {
      freeSpace: () =>
        disk.failure === undefined ? Promise.resolve(disk.free) : Promise.reject(disk.failure),
    },
    minFreeSpace,
    clock: { now: () => disk.now, every: () => () => undefined },
    announcedElsewhere: () => Promise.resolve(disk.elsewhere),
  })
  return { disk, guard }
}

async function* bytes(...sizes: readonly number[]) {
  for (const size of sizes) yield await Promise.resolve(new Uint8Array(size))
}
const receive = (space: Space, ...sizes: readonly number[]) => Array.fromAsync(space.guard(bytes(...sizes)))

test.each([
  ['that does not report its space', { data: {}, minFreeSpace }],
  ['without a reserve', { data: { freeSpace: () => Promise.resolve(0) }, minFreeSpace: 0 }],
])('a store %s takes any number of bytes', async (_name, options) => {
  const guard = freeSpaceGuard({
    ...options,
    clock: { now: () => 0, every: () => () => undefined },
    announcedElsewhere: () => Promise.resolve(new Map()),
  })
  for (const space of [await guard.announce('a', 1e15), await guard.resume(1e15)]) {
    expect(await receive(space, 10, 20)).toHaveLength(2)
    space.persisted()
    space.end()
  }
})

test('announced bytes fit down to the reserve', async () => {
  await diskWith(110).guard.announce('a', 10)
  await expect(diskWith(110).guard.announce('a', 11)).rejects.toMatchObject(full)
})

test('a network withholds at most a quarter of the space above the reserve from others', async () => {
  const { guard } = diskWith(200)
  await guard.announce('a', 60)
  await expect(guard.announce('b', 76)).rejects.toMatchObject(full)
  await guard.announce('b', 75)
  await expect(guard.announce('a', 16)).rejects.toMatchObject(full)
  await guard.announce('a', 15)
})

test('announcements at other instances count', async () => {
  const { disk, guard } = diskWith(200)
  disk.elsewhere = new Map([['a', 90]])
  await expect(guard.announce('a', 11)).rejects.toMatchObject(full)
  await guard.announce('a', 10)
})

test('on a disk without space above the reserve, an announcement of no bytes is accepted', async () => {
  const { guard } = diskWith(100)
  await guard.announce('a', 0)
  await expect(diskWith(99).guard.announce('a', 0)).rejects.toMatchObject(full)
})

test('bytes that do not arrive are released at the end, once', async () => {
  const { guard } = diskWith(200)
  const space = await guard.announce('a', 100)
  await receive(space, 30)
  await expect(guard.announce('a', 1)).rejects.toMatchObject(full)
  space.end()
  space.end()
  await expect(guard.announce('a', 71)).rejects.toMatchObject(full)
  await guard.announce('a', 70)
})

test('bytes beyond the announced ones must fit beside the announcements of others', async () => {
  const { guard } = diskWith(200)
  const space = await guard.announce('a', 10)
  const other = await guard.announce('a', 80)
  expect(await receive(space, 10, 10)).toHaveLength(2)
  await expect(receive(space, 1)).rejects.toMatchObject(full)
  expect(await receive(other, 80)).toHaveLength(1)
  await expect(receive(other, 1)).rejects.toMatchObject(full)
})

test('of a chunk that is announced in part, only the other bytes must fit beside the announcements of others', async () => {
  const { guard } = diskWith(110)
  const space = await guard.announce('a', 5)
  expect(await receive(space, 10)).toHaveLength(1)
  await expect(receive(space, 1)).rejects.toMatchObject(full)
})

test('no bytes are accepted, even if more is announced than is free', async () => {
  const { disk, guard } = diskWith(200)
  await guard.announce(null, 100)
  disk.free = 150
  disk.now = 1_000
  await expect(guard.announce('a', 1)).rejects.toMatchObject(full)
  await guard.announce('a', 0)
})

test('announced bytes fail when others have filled the disk', async () => {
  const { disk, guard } = diskWith(200)
  const space = await guard.announce('a', 50)
  disk.free = 120
  disk.now = 1_000
  expect(await receive(space, 20)).toHaveLength(1)
  await expect(receive(space, 1)).rejects.toMatchObject(full)
})

test('a part of an announced file must fit, regardless of what others announced', async () => {
  const { disk, guard } = diskWith(200)
  disk.elsewhere = new Map([['a', 100]])
  await expect(guard.resume(101)).rejects.toMatchObject(full)
  const space = await guard.resume(100)
  expect(await receive(space, 60, 40)).toHaveLength(2)
  await expect(receive(space, 1)).rejects.toMatchObject(full)
})

test('a recorded announcement counts until the next measurement', async () => {
  const { disk, guard } = diskWith(200)
  const space = await guard.announce('a', 100)
  space.persisted()
  space.end()
  await expect(guard.announce('a', 1)).rejects.toMatchObject(full)
  disk.now = 999
  await expect(guard.announce('a', 1)).rejects.toMatchObject(full)
  disk.now = 1_000
  await guard.announce('a', 100)
})

test('an unavailable store is reported, and the next request measures again', async () => {
  const { disk, guard } = diskWith(200)
  disk.failure = new StoreUnavailableError('unavailable')
  await expect(guard.announce('a', 1)).rejects.toMatchObject({ code: 'unavailable' })
  disk.failure = undefined
  await guard.announce('a', 1)
})
