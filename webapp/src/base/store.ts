import { effectScope, inject, type App, type InjectionKey } from 'vue'

/** Returns a store of the application, and creates it first where it is missing. */
type Stores = <Store>(create: () => Store) => Store

const storesKey: InjectionKey<Stores> = Symbol('stores')

/** Gives an application separate stores. They end when it is unmounted. */
export function provideStores(app: App<unknown>): void {
  const scope = effectScope(true)
  const created = new Map<() => unknown, unknown>()
  app.provide(storesKey, <Store>(create: () => Store) => {
    if (!created.has(create)) created.set(create, scope.run(create))
    return created.get(create) as Store
  })
  app.onUnmount(() => scope.stop())
}

/**
 * Defines state that components share. Each application creates it at its first use, so that a store loads with the chunks
 * that need it.
 * @param create may use other stores, and `onScopeDispose` for the end of the application
 * @returns gets the store: in the setup of a component, or in `runWithContext` of the application; not after an `await`
 */
export const defineStore =
  <Store>(create: () => Store) =>
  (): Store =>
    // Elsewhere there are none, and in development Vue warns of it.
    (inject(storesKey) as Stores)(create)
