import { expect, test } from 'vitest'
import { sharedSync } from './shared-sync.ts'

/** A sync that ends when it is told to, and what became of those who wait. */
function stage() {
  const syncs: PromiseWithResolvers<undefined>[] = []
  const sync = sharedSync(() => {
    const one = Promise.withResolvers<undefined>()
    syncs.push(one)
    return one.promise
  })
  const ended: string[] = []
  const ask = (name: string) =>
    sync().then(
      () => ended.push(name),
      (error: unknown) => ended.push(`${name}: ${String(error)}`),
    )
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { syncs, ended, ask, settle }
}

test('what is asked for while a sync runs waits for the next one, which all share', async () => {
  const { syncs, ended, ask, settle } = stage()
  void ask('first')
  await settle()
  void ask('second')
  void ask('third')
  await settle()
  expect(syncs).toHaveLength(1)
  syncs[0]?.resolve(undefined)
  await settle()
  expect(ended).toEqual(['first'])
  expect(syncs).toHaveLength(2)
  syncs[1]?.resolve(undefined)
  await settle()
  expect(ended).toEqual(['first', 'second', 'third'])
  expect(syncs).toHaveLength(2)
})

test('a sync that fails fails for those who waited for it, and for nobody after them', async () => {
  const { syncs, ended, ask, settle } = stage()
  void ask('first')
  await settle()
  void ask('second')
  syncs[0]?.reject(new Error('input/output error'))
  await settle()
  syncs[1]?.resolve(undefined)
  await settle()
  expect(ended).toEqual(['first: Error: input/output error', 'second'])
})
