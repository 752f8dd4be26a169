import { computed, readonly, ref, shallowRef } from 'vue'
import { deviceStorage } from '../../base/browser/storage.ts'
import { listen } from '../../base/browser/listen.ts'
import { defineStore } from '../../base/store.ts'
import { applicationPath } from '../../sent/store/application-path.ts'
import { readOwnRequest, type OwnRequest } from './own-request.ts'

/** One item of the storage per request, so that two tabs never overwrite each other's. */
const prefixOf = () => `svc-request ${applicationPath()} `

function readStorage(): OwnRequest[] {
  try {
    const storage = deviceStorage()
    const names = Object.keys(storage).filter((name) => name.startsWith(prefixOf()))
    return names.flatMap((name) => readOwnRequest(storage.getItem(name) ?? '') ?? [])
  } catch {
    return []
  }
}

/** The tokens and keys of requests that this browser keeps, shared by all tabs. */
export const useOwnRequests = defineStore(() => {
  /** Requests that the browser does not store. They last for this page. */
  const unsaved = new Map<string, OwnRequest>()
  const isUnsaved = ref(false)
  const list = shallowRef<readonly OwnRequest[]>()

  function show(): void {
    const byID = new Map(readStorage().map((request) => [request.id, request]))
    for (const request of unsaved.values()) byID.set(request.id, request)
    isUnsaved.value = unsaved.size > 0
    list.value = [...byID.values()].toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  }

  // Other tabs have made or removed requests.
  listen(window, 'storage', ({ key }) => {
    if (key === null || key.startsWith(prefixOf())) show()
  })

  function requests(): readonly OwnRequest[] {
    if (list.value === undefined) show()
    return list.value ?? []
  }

  function put(request: OwnRequest): void {
    try {
      deviceStorage().setItem(prefixOf() + request.id, JSON.stringify(request))
      unsaved.delete(request.id)
    } catch {
      // Blocked or full.
      unsaved.set(request.id, request)
    }
    show()
  }

  function remove(id: string): void {
    unsaved.delete(id)
    try {
      deviceStorage().removeItem(prefixOf() + id)
    } catch {
      // Nothing is stored.
    }
    show()
  }

  return {
    /** The entries that a user sees, newest first: those of other users are not shown. */
    visibleTo: (user: string | undefined) => computed(() => requests().filter(({ owner }) => owner === user)),
    find: (id: string, user: string | undefined) =>
      requests().find(
        (request) => request.id === id && (request.owner === undefined || request.owner === user),
      ),
    /** Whether the browser does not store some of them. */
    isUnsaved: readonly(isUnsaved),
    put,
    remove,
  }
})
