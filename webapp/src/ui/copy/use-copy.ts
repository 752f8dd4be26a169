import { onScopeDispose, readonly, ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { useAnnouncer } from '../../base/use-announcer.ts'
import { copyText } from './copy-text.ts'

const shownMs = 2_500

/** Announcement for screen readers; that of links by default. */
interface Words {
  readonly copied: () => string
  readonly notCopied: () => string
}

/** Copies, and confirms it for a moment, also to screen readers. */
export function useCopy(words?: Words) {
  const { t } = useI18n()
  const { announce } = useAnnouncer()
  const { copied: sayCopied, notCopied: sayNotCopied } = words ?? {
    copied: () => t('link.copied'),
    notCopied: () => t('link.notCopied'),
  }
  const copied = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  /** @returns whether copying succeeded */
  const copy = async (text: string): Promise<boolean> => {
    copied.value = await copyText(text)
    announce(copied.value ? sayCopied() : sayNotCopied())
    clearTimeout(timer)
    timer = setTimeout(() => (copied.value = false), shownMs)
    return copied.value
  }
  onScopeDispose(() => {
    clearTimeout(timer)
  })
  return { copied: readonly(copied), copy }
}
