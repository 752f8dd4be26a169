import type { FileDeclaration, Upload, UploadOptions } from '@svc/contract'
import { declarationsOf, type QueuedFile } from '@svc/sdk'
import { computed, onScopeDispose, shallowRef } from 'vue'
import { api } from '../../api/api.ts'
import { encryptedSize } from '../../encryption/encrypted-size.ts'
import { withPreviews } from '../../previews/with-previews.ts'
import type { SelectedFile } from '../draft/selected-files.ts'
import { queuedEncryptedFile, queuedFile } from './queued-file.ts'
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
    }

/** A chosen file that cannot be sent. */
export interface RefusedFile extends SelectedFile {
  /** The sentence that says why. */
  readonly reason: string
}

/** What a visitor sends. */
export interface Sendable {
  readonly files: readonly SelectedFile[]
  readonly refused: readonly RefusedFile[]
  readonly options: UploadOptions
  /** Encrypts the files. */
  readonly passphrase: string | undefined
}

/** Files as they are sent. The encryption is loaded on use. */
export async function queuedFiles(
  files: readonly SelectedFile[],
  passphrase: string | undefined,
): Promise<QueuedFile[]> {
  if (passphrase === undefined) return files.map(queuedFile)
  const { createEncryptor: createSealer } = await import('../../encryption/encryptor.ts')
  const sealer = createSealer(passphrase)
  return files.map((file) => queuedEncryptedFile(file, sealer, encryptedSize))
}

/** Files as they are sent, and the request that creates their upload. */
export interface Outgoing {
  readonly files: readonly QueuedFile[]
  readonly create: (declared: FileDeclaration[]) => Promise<Upload>
}

/** Files of an upload whose page shows previews. */
export const previewedFiles = async (files: readonly SelectedFile[], passphrase: string | undefined) =>
  withPreviews(
    await queuedFiles(files, passphrase),
    new Map(files.map(({ key, blob }) => [key, blob])),
    passphrase,
  )

const ownUpload = async ({ files, options, passphrase }: Sendable): Promise<Outgoing> => ({
  files: await previewedFiles(files, passphrase),
  create: (declared) => api.createUpload({ ...options, files: declared }),
})

/**
 * Sends selected files: creates their upload, then adds them to a queue.
 * @param prepare by default for an upload of the visitor
 */
export function useUploading(prepare: (sendable: Sendable) => Promise<Outgoing> = ownUpload) {
  const state = shallowRef<State>({ kind: 'idle' })
  const sending = useTransfers()
  let isLeft = false
  onScopeDispose(() => {
    isLeft = true
  })

  const start = async (sendable: Sendable) => {
    const { files, refused, passphrase } = sendable
    state.value = { kind: 'creating' }
    try {
      const outgoing = await prepare(sendable)
      const upload = await outgoing.create(declarationsOf(outgoing.files))
      if (isLeft) {
        await api.removeUpload(upload.id, { uploadToken: upload.uploadToken })
        return
      }
      state.value = { kind: 'running', upload, key: passphrase, files, refused }
      sending.add(upload, outgoing.files)
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
