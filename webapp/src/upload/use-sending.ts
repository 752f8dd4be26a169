import type { Upload, UploadOptions } from '@svc/contract'
import { declarationsOf, type QueuedFile } from '@svc/sdk'
import { computed, onScopeDispose, shallowRef } from 'vue'
import { client } from '../app/client.ts'
import { sealedSize } from '../encryption/sealed-size.ts'
import type { ChosenFile } from './chosen-files.ts'
import { encryptedFile, plainFile } from './outgoing-file.ts'
import { useTransfers } from './use-transfers.ts'

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'creating' }
  | { readonly kind: 'refused'; readonly error: unknown }
  | {
      readonly kind: 'running'
      readonly upload: Upload
      /** Opens the files, and is known to nobody but this page and who gets the link. */
      readonly key: string | undefined
    }

/** Files as they go out; encryption is fetched for those who want it. */
export async function outgoingFiles(
  files: readonly ChosenFile[],
  passphrase: string | undefined,
): Promise<QueuedFile[]> {
  if (passphrase === undefined) return files.map(plainFile)
  const { createSealer } = await import('../encryption/sealer.ts')
  const sealer = createSealer(passphrase)
  return files.map((file) => encryptedFile(file, sealer, sealedSize))
}

/** Sends chosen files: creates their upload, then hands the files to a queue. */
export function useSending() {
  const state = shallowRef<State>({ kind: 'idle' })
  const sending = useTransfers()
  let isLeft = false
  onScopeDispose(() => {
    isLeft = true
  })

  const start = async (files: readonly ChosenFile[], options: UploadOptions, passphrase?: string) => {
    state.value = { kind: 'creating' }
    try {
      const outgoing = await outgoingFiles(files, passphrase)
      const upload = await client.createUpload({ ...options, files: declarationsOf(outgoing) })
      if (isLeft) {
        await client.removeUpload(upload.id, { uploadToken: upload.uploadToken })
        return
      }
      state.value = { kind: 'running', upload, key: passphrase }
      sending.add(upload, outgoing)
    } catch (error) {
      state.value = { kind: 'refused', error }
    }
  }
  return {
    ...sending,
    state,
    isActive: computed(() => state.value.kind === 'creating' || sending.isActive.value),
    start,
    reset: () => {
      sending.forget()
      state.value = { kind: 'idle' }
    },
  }
}
