import type { Upload } from '@svc/contract'
import { declarationsOf } from '@svc/sdk'
import { computed, onScopeDispose, readonly, ref, shallowRef, watch } from 'vue'
import { api } from '../../api/api.ts'
import type { ManifestTransfer } from '../manifest/manifest-transfer.ts'
import type { SelectedFile } from '../draft/selected-files.ts'
import type { PreparedUpload, RefusedFile, Sendable } from './prepared-upload.ts'
import { useTransfers } from './use-transfers.ts'

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'creating' }
  | { readonly kind: 'refused'; readonly error: unknown }
  | {
      readonly kind: 'running'
      readonly upload: Upload
      /** Key of the files. Only this page and the recipients of the link have it. */
      readonly key: string | undefined
      readonly files: readonly SelectedFile[]
      /** The chosen files that are not part of the upload. */
      readonly refused: readonly RefusedFile[]
      /** Undefined for an upload without one. */
      readonly manifest: ManifestTransfer | undefined
    }

/** Sends selected files: creates their upload, then adds them to a queue. */
export function useUploading(prepare: (sendable: Sendable) => Promise<PreparedUpload>) {
  const state = shallowRef<State>({ kind: 'idle' })
  const sending = useTransfers()
  let isDisposed = false
  /** Whether the running upload was deleted. */
  const isDeleted = ref(false)
  const manifest = computed(() => (state.value.kind === 'running' ? state.value.manifest : undefined))
  const sendManifest = () => void manifest.value?.send()
  watch(
    () => {
      // Each file is sent, or left out by the sender.
      const { files, sentFiles, cancelledFiles } = sending.tally()
      return sentFiles > 0 && sentFiles + cancelledFiles === files
    },
    (decided) => {
      if (decided) sendManifest()
    },
    { flush: 'sync' },
  )
  /** What has arrived stays, and recipients need the manifest for it. */
  const leave = () => {
    sending.forget()
    if (!isDeleted.value && (manifest.value?.contents.all().size ?? 0) > 0) sendManifest()
  }
  onScopeDispose(() => {
    isDisposed = true
    leave()
  })

  const start = async (sendable: Sendable) => {
    const { files, refused, passphrase } = sendable
    isDeleted.value = false
    state.value = { kind: 'creating' }
    try {
      const prepared = await prepare(sendable)
      const upload = await prepared.create(declarationsOf(prepared.files))
      if (isDisposed) {
        await api.removeUpload(upload.id, { uploadToken: upload.uploadToken })
        return
      }
      state.value = {
        kind: 'running',
        upload,
        key: passphrase,
        files,
        refused,
        manifest: prepared.manifest?.(),
      }
      sending.add(upload, prepared.files)
    } catch (error) {
      state.value = { kind: 'refused', error }
    }
  }
  return {
    ...sending,
    state,
    isDeleted: readonly(isDeleted),
    isActive: computed(
      () =>
        state.value.kind === 'creating' ||
        sending.isActive.value ||
        (!isDeleted.value && ['sending', 'failed'].includes(manifest.value?.state.value.kind ?? '')),
    ),
    start,
    /** Nothing more is sent of the running upload: it was deleted. */
    endDeleted: () => {
      isDeleted.value = true
      sending.forget()
    },
    reset: () => {
      leave()
      state.value = { kind: 'idle' }
    },
  }
}
