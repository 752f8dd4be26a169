import {
  canHaveManifest,
  manifestName,
  type FileDeclaration,
  type Upload,
  type UploadOptions,
} from '@svc/contract'
import { declarationsOf, type QueuedFile, type Transfer } from '@svc/sdk'
import { computed, onScopeDispose, shallowRef, watch } from 'vue'
import { api } from '../../api/api.ts'
import { encryptedSize } from '../../encryption/encrypted-size.ts'
import { withPreviews } from '../../previews/with-previews.ts'
import type { ManifestSending } from '../manifest/manifest-sending.ts'
import type { SelectedFile } from '../draft/selected-files.ts'
import { queuedEncryptedFile, queuedFile, type EncryptedQueueing } from './queued-file.ts'
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
      readonly manifest: ManifestSending | undefined
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

type OnContent = EncryptedQueueing['onContent']

/** Files as they are sent. The encryption is loaded on use. */
export async function queuedFiles(
  files: readonly SelectedFile[],
  passphrase: string | undefined,
  onContent?: OnContent,
): Promise<QueuedFile[]> {
  if (passphrase === undefined) return files.map(queuedFile)
  const { createEncryptor } = await import('../../encryption/encryptor.ts')
  const queueing = { encryptor: createEncryptor(passphrase), sealedSize: encryptedSize, onContent }
  return files.map((file) => queuedEncryptedFile(file, queueing))
}

/** Files as they are sent, and the request that creates their upload. */
export interface Outgoing {
  readonly files: readonly QueuedFile[]
  readonly create: (declared: FileDeclaration[]) => Promise<Upload>
  /** The manifest of the created upload; undefined for an upload without one. */
  readonly manifest?: () => ManifestSending | undefined
}

/** Files of an upload whose page shows previews. */
export const previewedFiles = async (
  files: readonly SelectedFile[],
  passphrase: string | undefined,
  onContent?: OnContent,
) =>
  withPreviews(
    await queuedFiles(files, passphrase, onContent),
    new Map(files.map(({ key, blob }) => [key, blob])),
    passphrase,
  )

async function ownUpload({ files, options, passphrase }: Sendable): Promise<Outgoing> {
  if (passphrase === undefined || !canHaveManifest(options))
    return {
      files: await previewedFiles(files, passphrase),
      create: (declared) => api.createUpload({ ...options, files: declared }),
    }
  const { createManifestSending } = await import('../manifest/manifest-sending.ts')
  let manifest: ManifestSending | undefined
  return {
    files: await previewedFiles(files, passphrase, (content) => manifest?.contents.add(content)),
    create: async (declared) => {
      // The server has a place for the manifest from the beginning.
      const place = { reference: 'manifest', fileName: manifestName }
      const upload = await api.createUpload({ ...options, files: [...declared, place] })
      if (canHaveManifest(upload)) manifest = createManifestSending({ upload, passphrase })
      return upload
    },
    manifest: () => manifest,
  }
}

const isSent = ({ state: { kind } }: Transfer) => kind === 'sent'
/** Sent, or left out by the sender. */
const isDecided = (transfer: Transfer) => isSent(transfer) || transfer.state.kind === 'cancelled'

/**
 * Sends selected files: creates their upload, then adds them to a queue.
 * @param prepare by default for an upload of the visitor
 */
export function useUploading(prepare: (sendable: Sendable) => Promise<Outgoing> = ownUpload) {
  const state = shallowRef<State>({ kind: 'idle' })
  const sending = useTransfers()
  let isLeft = false
  const manifest = computed(() => (state.value.kind === 'running' ? state.value.manifest : undefined))
  const sendManifest = () => void manifest.value?.send()
  watch(
    () => sending.transfers().some(isSent) && sending.transfers().every(isDecided),
    (decided) => {
      if (decided) sendManifest()
    },
    { flush: 'sync' },
  )
  /** What has arrived stays, and recipients need the manifest for it. */
  const leave = () => {
    sending.forget()
    if ((manifest.value?.contents.all().size ?? 0) > 0) sendManifest()
  }
  onScopeDispose(() => {
    isLeft = true
    leave()
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
      state.value = {
        kind: 'running',
        upload,
        key: passphrase,
        files,
        refused,
        manifest: outgoing.manifest?.(),
      }
      sending.add(upload, outgoing.files)
    } catch (error) {
      state.value = { kind: 'refused', error }
    }
  }
  return {
    ...sending,
    state,
    isActive: computed(
      () =>
        state.value.kind === 'creating' ||
        sending.isActive.value ||
        ['sending', 'failed'].includes(manifest.value?.state.value.kind ?? ''),
    ),
    start,
    reset: () => {
      leave()
      state.value = { kind: 'idle' }
    },
  }
}
