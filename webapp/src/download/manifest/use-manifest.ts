import { ageScheme, type File } from '@svc/contract'
import { computed, effectScope, getCurrentScope, shallowRef, watch } from 'vue'
import type { ContentOf } from '../../manifest/expected-content.ts'
import type { ManifestContext } from './manifest-context.ts'
import type { ShownVerification } from './load-verification.ts'

type CreateVerification = (context: ManifestContext) => ShownVerification
/* eslint no-restricted-syntax: "off" -- code that is loaded once, for all applications */
let loaded: CreateVerification | undefined

/** Loads the comparison with a manifest: its notice then appears together with the page. */
export const prepareVerification = async (): Promise<CreateVerification> =>
  (loaded ??= await (await import('./load-verification.ts')).loadVerification())

/** The comparison of an encrypted upload with its manifest, which loads if there is one, or if the link says so. */
export function useManifest(context: ManifestContext) {
  const { upload, source, key } = context
  const scope = getCurrentScope() ?? effectScope()
  /** Otherwise its sender has shared no link with its mark yet. */
  const isStored = computed(() => source.manifest()?.status === 'uploaded')
  const verification = shallowRef<ShownVerification>()
  /** A manifest that was there is not forgotten. */
  const exists = computed(
    () =>
      upload().e2ee === ageScheme &&
      (key.mark.value !== undefined || isStored.value || verification.value !== undefined),
  )
  const start = (create: CreateVerification) =>
    (verification.value ??= scope.run(() => create(context)) ?? create(context))
  const load = async () => start(await prepareVerification())
  const contentOf: ContentOf = async (file) => (exists.value ? (await load()).contentOf(file) : undefined)
  watch(
    exists,
    (now) => {
      if (!now) return
      if (loaded !== undefined) start(loaded)
      // Downloads and viewers load it again, and report the error.
      else load().catch(() => undefined)
    },
    { immediate: true },
  )
  return {
    verification,
    isStored,
    /** Whether no file can be used, because nothing shows that they are those of the sender. */
    isUntrusted: computed(() => {
      const failure = verification.value?.failure.value
      return failure !== undefined && failure.code !== 'manifest_unsent'
    }),
    refusalOf: (file: File) => verification.value?.refusalOf(file),
    /** Whether a file may be shown without a click. */
    isShown: (file: File) => !exists.value || verification.value?.isVerified(file) === true,
    contentOf,
  }
}
