import type { File } from '@svc/contract'
import { computed, shallowReactive, shallowRef, watch } from 'vue'
import { SavingError } from '../../saving/target.ts'
import type { ContentOf } from '../../manifest/expected-content.ts'
import { ManifestError } from '../../manifest/manifest-error.ts'
import {
  openUploadManifest,
  type ManifestKeys,
  type ReadManifest,
} from '../../manifest/open-upload-manifest.ts'
import { availability } from '../../base/file-state.ts'
import { isLimited } from '../files/download-limit.ts'
import type { ManifestContext } from './manifest-context.ts'

/** Compares the files of an encrypted upload with those that its sender sent (docs/design/manifest.md). */
export function createVerification({ upload, source, key }: ManifestContext) {
  const read = shallowRef<ReadManifest>()
  /** Why no file can be used. */
  const failure = shallowRef<ManifestError>()
  /** Files whose content is not the one that was sent, by their ids. */
  const changed = shallowReactive(new Map<string, ManifestError>())
  const availabilityOf = (file: File) => availability(file, upload())

  async function openManifest(keys: ManifestKeys): Promise<void> {
    try {
      const manifest = source.manifest()
      if (manifest === undefined || availabilityOf(manifest) === 'gone')
        throw new ManifestError('manifest_withheld')
      if (availabilityOf(manifest) === 'coming') throw new ManifestError('manifest_unsent')
      const access = source.access()
      const mark = key.mark.value
      read.value = await openUploadManifest({ upload: upload(), file: manifest, access, mark }, keys)
      failure.value = undefined
    } catch (error) {
      // Other errors are those of the connection and of the key: the next attempt may open it.
      if (error instanceof ManifestError) failure.value = error
      throw error
    }
  }
  /** One after the other: a second key prompt would replace the first. */
  let last: Promise<void> = Promise.resolve()
  const open = (keys: ManifestKeys): Promise<void> => {
    const next = last.then(() => (read.value === undefined ? openManifest(keys) : undefined))
    last = next.catch(() => undefined)
    return next
  }
  watch(
    () => key.mark.value,
    () => {
      read.value = undefined
      changed.clear()
    },
    { flush: 'sync' },
  )
  watch(
    [() => key.key.value, () => key.mark.value, () => source.manifest()?.status],
    ([knownKey]) => {
      // Without a key, only a missing manifest is noticed.
      if (knownKey === undefined && source.manifest()?.status === 'uploaded') return
      const next: ManifestKeys['next'] = (refused) => Promise.resolve(refused ? undefined : knownKey)
      open({ next, wanted: false }).catch(() => undefined)
    },
    { immediate: true },
  )

  const comparison = computed(() =>
    read.value?.compare(upload().files.filter((file) => availabilityOf(file) !== 'gone')),
  )
  /** With a download limit, files that the server still lists are not missing: their rows say that no downloads are left. */
  const missing = computed(() => {
    const { files, maxDownloads } = upload()
    const listedIDs = new Set(maxDownloads === undefined ? [] : files.map(({ id }) => id))
    return comparison.value?.missing.filter(({ id }) => !listedIDs.has(id)) ?? []
  })
  const expectedByID = computed(
    () => new Map([...(comparison.value?.expected.values() ?? [])].map((file) => [file.id, file])),
  )
  const refusals = computed(() => {
    const { renamed, added } = comparison.value ?? {}
    const refused = new Map<string, ManifestError>(changed)
    for (const [{ id }, { name }] of renamed ?? [])
      refused.set(id, new ManifestError('file_renamed', { sentAs: name }))
    for (const { id } of added ?? []) refused.set(id, new ManifestError('file_added'))
    return refused
  })
  const refusalOf = ({ id }: Pick<File, 'id'>): ManifestError | undefined =>
    failure.value ?? refusals.value.get(id)

  const contentOf: ContentOf = async ({ id, fileName }) => {
    const next: ManifestKeys['next'] = async (refused) =>
      refused ? key.ask('refused') : (key.key.value ?? key.ask('missing'))
    await open({ next, wanted: true })
    if (read.value === undefined) throw new SavingError('given_up', 'no key was given')
    const content = expectedByID.value.get(id)
    const refusal = refusalOf({ id })
    if (refusal !== undefined || content === undefined) throw refusal ?? new ManifestError('file_added')
    // The list may have changed since the click.
    if (content.name !== fileName) throw new ManifestError('file_renamed', { sentAs: content.name })
    const refuse = () => {
      const error = new ManifestError(isLimited(upload()) ? 'file_changed_once' : 'file_changed')
      changed.set(id, error)
      return error
    }
    return { size: content.size, sha256: content.sha256, refuse }
  }

  return {
    failure,
    /** Whether some files are refused. */
    isRefusing: computed(() => refusals.value.size > 0),
    /** Names of files that were sent and that the server does not have. */
    missing: computed(() => missing.value.map(({ name }) => name)),
    /** Whether it is certain that the sender wrote the manifest; undefined before it was opened. */
    isAuthorProven: computed(() => read.value?.isProven),
    isVerified: (file: Pick<File, 'id'>) => expectedByID.value.has(file.id) && refusalOf(file) === undefined,
    refusalOf,
    contentOf,
  }
}

export type Verification = ReturnType<typeof createVerification>
