import { passphraseMark } from '@svc/encryption'
import { computed, readonly, ref, shallowReactive, shallowRef } from 'vue'
import { deviceStorage } from '../../base/browser/storage.ts'
import { listen } from '../../base/browser/listen.ts'
import { defineStore } from '../../base/store.ts'
import { applicationPath } from './application-path.ts'
import { newestFirst, readSentUpload, type SentUpload } from './sent-upload.ts'

/** Maximum number of uploads in the list. The oldest ones are dropped. */
export const maxSentUploads = 100

/** One item of the storage per upload, so that two tabs never overwrite each other's. */
const prefixOf = () => `svc-sent ${applicationPath()} `

function readStorage(): SentUpload[] {
  try {
    const storage = deviceStorage()
    const prefix = prefixOf()
    return Object.keys(storage).flatMap((name) => {
      if (!name.startsWith(prefix)) return []
      return readSentUpload(storage.getItem(name) ?? '') ?? []
    })
  } catch {
    return []
  }
}

/** The uploads that this browser sent, shared by all tabs. */
export const useSentUploads = defineStore(() => {
  /** Uploads that the browser does not store. They last for this page. */
  const unsaved = new Map<string, SentUpload>()
  /** Keys of encrypted uploads in the memory of this page only. */
  const pageKeys = shallowReactive(new Map<string, string>())
  const isUnsaved = ref(false)
  const list = shallowRef<readonly SentUpload[]>()

  function read(): readonly SentUpload[] {
    const byID = new Map(readStorage().map((upload) => [upload.id, upload]))
    for (const upload of unsaved.values()) byID.set(upload.id, upload)
    return [...byID.values()].toSorted(newestFirst)
  }

  function removeStored(id: string): void {
    unsaved.delete(id)
    try {
      deviceStorage().removeItem(prefixOf() + id)
    } catch {
      // Nothing is stored.
    }
  }

  function write(upload: SentUpload): void {
    try {
      deviceStorage().setItem(prefixOf() + upload.id, JSON.stringify(upload))
      unsaved.delete(upload.id)
    } catch {
      // Blocked or full.
      unsaved.set(upload.id, upload)
    }
  }

  function show(): void {
    isUnsaved.value = unsaved.size > 0
    list.value = read()
  }

  // Other tabs have sent or removed uploads.
  listen(window, 'storage', ({ key }) => {
    if (key === null || key.startsWith(prefixOf())) show()
  })

  function uploads(): readonly SentUpload[] {
    if (list.value === undefined) show()
    return list.value ?? []
  }
  const find = (id: string) => uploads().find((upload) => upload.id === id)

  function put(upload: SentUpload): void {
    write(upload)
    for (const { id } of read().slice(maxSentUploads)) removeStored(id)
    show()
  }

  return {
    /** The entries that a user sees, newest first: those of other users are not shown. */
    visibleTo: (user: string | undefined) =>
      computed(() => uploads().filter(({ owner }) => owner === undefined || owner === user)),
    /** Whether the browser does not store some of them. */
    isUnsaved: readonly(isUnsaved),
    find,
    /** Key of an encrypted upload; undefined if it was not kept. */
    keyOf: (id: string) => find(id)?.key ?? pageKeys.get(id),
    /** The mark of the manifest in the links of an upload. */
    markOf: (id: string) => (find(id)?.manifest === true ? passphraseMark : undefined),
    /** Sets whether the links of an upload have the mark of a manifest. */
    setManifest: (id: string, manifest: boolean) => {
      const upload = find(id)
      if (upload !== undefined) put({ ...upload, manifest })
    },
    /** Whether the key of an upload outlives this page. */
    isKeyStored: (id: string) => find(id)?.key !== undefined && !unsaved.has(id),
    /** Adds an upload. Its key stays in the memory of this page. */
    add: (upload: SentUpload, key: string | undefined) => {
      if (key !== undefined) pageKeys.set(upload.id, key)
      put(upload)
    },
    /** Stores the key of an upload, or removes it from the storage. */
    storeKey: (id: string, key: string | undefined) => {
      const upload = find(id)
      if (upload !== undefined) put({ ...upload, key })
    },
    /** Takes uploads off the list, with their keys. */
    forget: (chosen: (upload: SentUpload) => boolean) => {
      for (const { id } of uploads().filter(chosen)) {
        removeStored(id)
        pageKeys.delete(id)
      }
      show()
    },
  }
})

export type SentUploads = ReturnType<typeof useSentUploads>
