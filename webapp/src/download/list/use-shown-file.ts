import { computed } from 'vue'
import { useI18n } from 'vue-i18n'
import { fileKind, kindIcons } from '../../ui/file/file-kind.ts'
import { useCopy } from '../../ui/copy/use-copy.ts'
import type { ShownFile } from './shown-file.ts'
import { useFileWords } from './use-file-words.ts'

/** What the row and the card of a file have in common. */
export function useShownFile(shown: () => ShownFile) {
  const { t } = useI18n()
  const { copied, copy } = useCopy()
  const wordsOf = useFileWords()
  const name = computed(() => shown().file.fileName)
  const isReady = computed(() => shown().state === 'ready')
  return {
    t,
    copied,
    copy,
    name,
    words: computed(() => wordsOf(shown())),
    icon: computed(() => kindIcons[fileKind({ type: shown().file.type, name: name.value })]),
    isReady,
    isRefused: computed(() => shown().state === 'refused' && shown().refusal?.code !== 'manifest_unsent'),
    /** Whether the file is being downloaded; undefined where it is not, because this is an attribute. */
    isSaving: computed(() => shown().saving?.kind === 'running' || undefined),
    /** Progress, unless this page has downloaded the file and the server no longer has it. */
    saving: computed(() => (shown().mine && !isReady.value ? undefined : shown().saving)),
  }
}
