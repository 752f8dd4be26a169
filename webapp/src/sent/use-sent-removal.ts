import { ApiError } from '@svc/sdk'
import { useI18n } from 'vue-i18n'
import { api } from '../api/api.ts'
import { useAction } from '../base/use-action.ts'
import { useConfirmation } from '../ui/dialog/use-confirmation.ts'
import { useRemovals } from './store/removals.ts'

/** Deletes a sent upload from the server and from every list, after a question. */
export function useSentRemoval() {
  const { t } = useI18n()
  const { confirm } = useConfirmation()
  const { failure, run } = useAction()
  const { announceRemoval } = useRemovals()
  const remove = async (id: string, uploadToken: string | undefined): Promise<void> => {
    const yes = await confirm({
      heading: t('remove.uploadTitle'),
      text: t('remove.uploadText'),
      confirm: t('remove.confirm'),
      danger: true,
    })
    if (!yes) return
    await run(async () => {
      try {
        await api.removeUpload(id, { uploadToken })
      } catch (error) {
        // It is gone already.
        if (!(error instanceof ApiError) || error.code !== 'upload_not_found') throw error
      }
      announceRemoval({ ids: [id] })
    })
  }
  return { failure, remove }
}
