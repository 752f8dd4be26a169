import { ageScheme, type File } from '@svc/contract'
import { computed, effectScope, getCurrentScope, shallowRef, watch } from 'vue'
import type { ContentOf } from '../../manifest/expected-content.ts'
import type { ManifestContext } from './manifest-context.ts'
import type { ShownVerification } from './load-verification.ts'

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
  const load = async (): Promise<ShownVerification> => {
    const create = await (await import('./load-verification.ts')).loadVerification()
    if (verification.value !== undefined) return verification.value
    const created = scope.run(() => create(context)) ?? create(context)
    verification.value = created
    return created
  }
  const contentOf: ContentOf = async (one) => (exists.value ? (await load()).contentOf(one) : undefined)
  watch(
    exists,
    (now) => {
      // Downloads and viewers load it again, and report the error.
      if (now) load().catch(() => undefined)
    },
    { immediate: true },
  )
  return {
    verification,
    isStored,
    refusalOf: (one: File) => verification.value?.refusalOf(one),
    /** Whether a file may be shown without a click. */
    isShown: (one: File) => !exists.value || verification.value?.isVerified(one) === true,
    contentOf,
  }
}
