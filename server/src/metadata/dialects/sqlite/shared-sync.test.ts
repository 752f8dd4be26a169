import { expect, test } from 'vitest'
import { sharedSync } from './shared-sync.ts'

/** A sync that the test completes, with the results of its callers. */
function setup() {
  const syncs: PromiseWithResolvers<undefined>[] = []
  const sync = sharedSync(() => {
    const started = Promise.withResolvers<undefined>()
    syncs.push(started)
    return started.promise
  })
  const ended: string[] = []
  const requestSync = (name: string) =>
    sync().then(
      () => ended.push(name),
      (error: unknown) => ended.push(`${name}: ${String(error)}`),
    )
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { syncs, ended, ask: requestSync, settle }
}

test('calls during a sync wait for the next one, which they share', async () => {
  const { syncs, ended, ask: requestSync, settle } = setup()
  void requestSync('first')
  await settle()
  void requestSync('second')
  void requestSync('third')
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

test('a failed sync rejects the calls that waited for it, and no later ones', async () => {
  const { syncs, ended, ask: requestSync, settle } = setup()
  void requestSync('first')
  await settle()
  void requestSync('second')
  syncs[0]?.reject(new Error('input/output error'))
  await settle()
  syncs[1]?.resolve(undefined)
  await settle()
  expect(ended).toEqual(['first: Error: input/output error', 'second'])
})
