import { loadManifestMessages } from '../../i18n/manifest-messages.ts'
import { withMessages } from '../../i18n/with-messages.ts'
import type { ManifestContext } from './manifest-context.ts'

/** The comparison of files with a manifest, and the notice about it, with their messages. */
export async function loadVerification() {
  const [{ createVerification }, { default: notice }] = await withMessages(
    Promise.all([import('./verification.ts'), import('./ManifestNotice.vue')]),
    loadManifestMessages(),
  )
  return (context: ManifestContext) => ({ ...createVerification(context), notice })
}

export type ShownVerification = ReturnType<Awaited<ReturnType<typeof loadVerification>>>
