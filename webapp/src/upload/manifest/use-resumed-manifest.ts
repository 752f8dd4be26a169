import type { File, Upload } from '@svc/contract'
import { passphraseMark } from '@svc/encryption'
import type { UploadRef } from '@svc/sdk'
import { computed, shallowRef, watch } from 'vue'
import { availability } from '../../base/file-state.ts'
import { sentContents } from '../../sent/store/sent-contents.ts'
import { useSentUploads } from '../../sent/store/sent-uploads.ts'

interface Resumed {
  /** Without the manifest. */
  readonly upload: () => Upload
  readonly uploadToken: () => string | undefined
  /** As the server lists it. */
  readonly manifest: () => File | undefined
  /** In the link. */
  readonly mark: () => string | undefined
  readonly isSending: () => boolean
  readonly provenKey: () => Promise<string | undefined>
  readonly onSent: () => Promise<void>
}

/** The manifest of an upload that was interrupted before it was sent. */
export function useResumedManifest({ upload, uploadToken, manifest, mark, isSending, ...options }: Resumed) {
  const { setManifest } = useSentUploads()
  const contents = sentContents(upload().id)
  const known = shallowRef(contents.all())
  const failure = shallowRef<unknown>()
  const busy = shallowRef(false)
  /** Whether files were sent from this page. */
  let isResumed = false

  const isComing = (file: File) => availability(file, upload()) === 'coming'
  const declared = computed(() => {
    const file = manifest()
    return file !== undefined && isComing(file)
  })
  /** Only the program that sends files to recipients has the key that signs their manifest. */
  const isOwn = computed(() => mark() === undefined || mark() === passphraseMark)
  const stored = computed(() => upload().files.filter(({ status }) => status === 'uploaded'))
  /** Stored files whose content this device does not know. */
  const unknown = computed(() =>
    declared.value && !isSending() ? stored.value.filter(({ id }) => !known.value.has(id)) : [],
  )
  /** Names of files that were sent and that the server does not have any more. */
  const missing = computed(() => {
    const ids = new Set(stored.value.map(({ id }) => id))
    return [...known.value.values()].filter(({ id }) => !ids.has(id)).map(({ name }) => name)
  })
  const canFinish = computed(
    () =>
      declared.value &&
      isOwn.value &&
      !isSending() &&
      stored.value.length > 0 &&
      unknown.value.length === 0 &&
      !upload().files.some(isComing),
  )

  async function finish(): Promise<void> {
    if (busy.value) return
    busy.value = true
    failure.value = undefined
    try {
      const passphrase = await options.provenKey()
      if (passphrase === undefined) return
      const { sendManifest } = await import('./send-manifest.ts')
      const { id, e2ee, stream } = upload()
      const ref: UploadRef = { id, e2ee, stream, uploadToken: uploadToken() }
      await sendManifest({ upload: ref, passphrase, contents })
      setManifest(id, true)
      await options.onSent()
    } catch (error) {
      failure.value = error
    } finally {
      busy.value = false
    }
  }
  watch(canFinish, (now) => {
    if (now && isResumed) void finish()
  })

  return {
    declared,
    /** Whether another page or program sends the upload, or will make its manifest. */
    isElsewhere: computed(
      () =>
        declared.value &&
        (!isOwn.value ||
          (!isSending() &&
            upload().files.some(
              ({ status, interrupted }) => status === 'uploading' && interrupted !== true,
            ))),
    ),
    unknown,
    missing: computed(() => (declared.value ? missing.value : [])),
    canFinish,
    busy,
    failure,
    finish,
    onContent: (content: Parameters<typeof contents.add>[0]) => {
      isResumed = true
      contents.add(content)
      known.value = contents.all()
    },
  }
}
