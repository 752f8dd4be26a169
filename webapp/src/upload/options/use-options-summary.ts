import { computed, type Ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { useFormat } from '../../i18n/use-format.ts'
import type { UploadForm } from '../draft/upload-form.ts'

/** A summary of the options, shown while they are closed. */
export function useOptionsSummary(form: Readonly<Ref<UploadForm>>) {
  const { t } = useI18n()
  const format = useFormat()
  return computed(() => {
    const { ttl, oneShot, maxDownloads, stream, removable, extendTTL, protect, encrypt, describe, comments } =
      form.value
    const parts = [
      ttl > 0 ? format.duration(ttl) : ttl < 0 && t('ttl.forEver'),
      oneShot && t('options.oneShotShort'),
      !oneShot &&
        !stream &&
        maxDownloads > 0 &&
        t('options.maxDownloadsShort', { count: format.number(maxDownloads) }),
      stream && t('options.streamShort'),
      removable && t('options.removableShort'),
      extendTTL && t('options.extendTTLShort'),
      protect && t('options.protectShort'),
      encrypt && t('options.encryptShort'),
      describe && comments.trim() !== '' && t('options.describeShort'),
    ]
    return parts.filter((part) => part !== false).join(' · ')
  })
}
