import type { File } from '@svc/contract'
import { useI18n } from 'vue-i18n'
import { useConfirmation } from '../ui/dialog/use-confirmation.ts'
import type { useUpload } from './use-upload.ts'

/** Removes an upload or one of its files, after a question. */
export function useUploadRemoval(
  source: Pick<ReturnType<typeof useUpload>, 'removeFile' | 'removeUpload'>,
  attempt: (action: () => Promise<void>) => Promise<void>,
) {
  const { t } = useI18n()
  const { confirm } = useConfirmation()
  const ask = (heading: string, text: string) =>
    confirm({ heading, text, confirm: t('remove.confirm'), danger: true })

  const removeFile = async (file: File) => {
    if (await ask(t('remove.fileTitle'), t('remove.fileText', { name: file.fileName })))
      await attempt(() => source.removeFile(file))
  }
  const removeUpload = async () => {
    if (await ask(t('remove.uploadTitle'), t('remove.uploadText'))) await attempt(source.removeUpload)
  }
  return { removeFile, removeUpload }
}
