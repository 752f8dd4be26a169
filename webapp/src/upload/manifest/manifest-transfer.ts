import { passphraseMark } from '@svc/encryption'
import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue'
import { forgetOldContents, sentContents, type SentContents } from '../../sent/store/sent-contents.ts'
import type { SentUploads } from '../../sent/store/sent-uploads.ts'
import { removeManifest, sendManifest, type ManifestOf } from './send-manifest.ts'

export type ManifestState =
  /** For its files. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending' }
  /** `missing`: names of files that were sent and that the server does not have any more. */
  | { readonly kind: 'sent'; readonly missing: readonly string[] }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The sender has given it up. */
  | { readonly kind: 'without' }

/** The manifest of an upload whose files are being sent. */
export interface ManifestTransfer {
  readonly state: Readonly<ShallowRef<ManifestState>>
  /** In the links; undefined after the manifest was given up. */
  readonly mark: ComputedRef<string | undefined>
  readonly contents: SentContents
  /** Sends it, once all files have arrived that will. */
  readonly send: () => Promise<void>
  /** Shares the files without it. */
  readonly giveUp: () => Promise<void>
}

export function createManifestTransfer(
  { upload, passphrase }: Pick<ManifestOf, 'upload' | 'passphrase'>,
  sent: Pick<SentUploads, 'find' | 'setManifest'>,
): ManifestTransfer {
  forgetOldContents(sent)
  const contents = sentContents(upload.id)
  const state = shallowRef<ManifestState>({ kind: 'waiting' })
  const run = async (action: () => Promise<ManifestState>) => {
    if (!['waiting', 'failed'].includes(state.value.kind)) return
    state.value = { kind: 'sending' }
    try {
      state.value = await action()
    } catch (error) {
      state.value = { kind: 'failed', error }
    }
  }
  return {
    state,
    mark: computed(() => (state.value.kind === 'without' ? undefined : passphraseMark)),
    contents,
    send: () =>
      run(async () => ({
        kind: 'sent',
        missing: await sendManifest({ upload, passphrase, contents }),
      })),
    giveUp: () =>
      run(async () => {
        await removeManifest({ upload, contents })
        sent.setManifest(upload.id, false)
        return { kind: 'without' }
      }),
  }
}
