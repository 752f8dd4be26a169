import { watch } from 'vue'
import { useLanguage } from '../i18n/i18n.ts'
import { ignoreBusyButtons } from '../ui/busy/busy-buttons.ts'
import { installTooltips } from '../ui/tooltip/tooltip.ts'

/** Push messages have the language that the visitor has chosen last. */
function followPushLanguage(): void {
  watch(useLanguage().language, (language) => {
    import('../account/push-device.ts')
      .then(({ setPushLanguage }) => setPushLanguage(language))
      .catch(() => undefined)
  })
}

/** Starts what needs a visitor who uses the page. */
export function onFirstUse(): void {
  installTooltips()
  ignoreBusyButtons()
  followPushLanguage()
}
