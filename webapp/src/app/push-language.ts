import { watch } from 'vue'
import { useLanguage } from '../i18n/i18n.ts'

/** Push messages have the language that the visitor has chosen last. */
export function followPushLanguage(): void {
  watch(useLanguage().language, (language) => {
    import('../personal/notifications/push-device.ts')
      .then(({ setPushLanguage }) => setPushLanguage(language))
      .catch(() => undefined)
  })
}
