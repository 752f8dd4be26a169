import { expect, test, vi } from 'vitest'
import { createApp, createRenderer, h, nextTick, onScopeDispose, ref, watch, type App } from 'vue'
import { defineStore, provideStores } from './store.ts'

function newApp(): App {
  const app = createApp({})
  provideStores(app)
  return app
}

const useCounter = defineStore(() => {
  const count = ref(0)
  return { count, add: () => (count.value += 1) }
})

test('all parts of an application share a store, and two applications share none', () => {
  const [app, other] = [newApp(), newApp()]
  app.runWithContext(useCounter).add()
  expect(app.runWithContext(useCounter).count.value).toBe(1)
  expect(other.runWithContext(useCounter).count.value).toBe(0)
})

test('a store is created at its first use, and may use another one', () => {
  const app = newApp()
  let created = 0
  const useDouble = defineStore(() => {
    created += 1
    const { count } = useCounter()
    return () => 2 * count.value
  })
  expect(created).toBe(0)
  const double = app.runWithContext(useDouble)
  app.runWithContext(useCounter).add()
  expect(double()).toBe(2)
  app.runWithContext(useDouble)
  expect(created).toBe(1)
})

test('a store without a value is created once, too', () => {
  const app = newApp()
  let created = 0
  const useNothing = defineStore(() => void (created += 1))
  app.runWithContext(useNothing)
  app.runWithContext(useNothing)
  expect(created).toBe(1)
})

/** Draws nothing, so that an application can be mounted without a document. */
const { createApp: createMountable } = createRenderer<object, object>({
  createElement: () => ({}),
  createText: () => ({}),
  createComment: () => ({}),
  insert: () => undefined,
  remove: () => undefined,
  patchProp: () => undefined,
  setText: () => undefined,
  setElementText: () => undefined,
  parentNode: () => null,
  nextSibling: () => null,
})

test('stores end with their application, and not with the component that used them first', async () => {
  const ended: string[] = []
  const useEnding = defineStore(() => {
    const count = ref(0)
    const seen: number[] = []
    watch(count, (now) => seen.push(now), { flush: 'sync' })
    onScopeDispose(() => ended.push('store'))
    return { count, seen }
  })
  const isShown = ref(true)
  const Child = {
    setup() {
      useEnding()
      onScopeDispose(() => ended.push('component'))
      return () => null
    },
  }
  const app = createMountable({ setup: () => () => (isShown.value ? h(Child) : null) })
  provideStores(app)
  app.mount({})
  isShown.value = false
  await nextTick()
  expect(ended).toEqual(['component'])
  const { count, seen } = app.runWithContext(useEnding)
  count.value = 1
  expect(seen).toEqual([1])
  app.unmount()
  expect(ended).toEqual(['component', 'store'])
})

test('outside of an application there is no store', () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  expect(() => useCounter()).toThrow(TypeError)
  vi.restoreAllMocks()
})
