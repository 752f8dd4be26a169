import { computed, nextTick, ref, type ShallowRef } from 'vue'
import { useI18n } from 'vue-i18n'
import { useAnnouncer } from '../../base/use-announcer.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useConfirmation } from '../../ui/dialog/use-confirmation.ts'
import type { PickedFile } from '../draft/picked-file.ts'
import {
  findProblems,
  type FileLimits,
  type FileProblem,
  type useSelectedFiles,
} from '../draft/selected-files.ts'
import { uniqueName } from '../draft/unique-name.ts'
import { useDropZone } from './use-drop-zone.ts'
import { usePaste } from './use-paste.ts'

export interface FileChooserOptions {
  readonly chosen: ReturnType<typeof useSelectedFiles>
  readonly limits: () => FileLimits
  readonly problemText: (problem: FileProblem) => string
  readonly enabled: () => boolean
  /** Whether pasted text becomes a file. */
  readonly takesText: () => boolean
  /** Called with chosen files: preloads the view of the transfers before they use the connection. */
  readonly preload: () => void
  readonly dropArea: Readonly<ShallowRef<{ readonly focus: () => void } | null>>
}

/** Choosing, dropping and pasting files, and what is wrong with them. */
export function useFileChooser({
  chosen,
  limits,
  problemText,
  enabled,
  takesText,
  preload,
  dropArea,
}: FileChooserOptions) {
  const { t } = useI18n()
  const format = useFormat()
  const { announce } = useAnnouncer()
  const { confirm } = useConfirmation()
  const { files, add, remove, clear } = chosen

  const problems = computed(() => findProblems(files.value, limits()))
  const sendable = computed(() => files.value.filter(({ key }) => !problems.value.has(key)))
  /** The chosen files that cannot be sent, with the sentence that says why. */
  const refused = () =>
    files.value.flatMap((file) => {
      const problem = problems.value.get(file.key)
      return problem === undefined ? [] : [{ ...file, reason: problemText(problem) }]
    })
  /** Number of the last added files that were already in the list. */
  const duplicateCount = ref(0)
  /** Names of the last added files that cannot be read. */
  const unreadable = ref<readonly string[]>([])

  function take(picked: readonly PickedFile[], notRead: readonly string[] = []) {
    duplicateCount.value = add(picked)
    unreadable.value = notRead
    preload()
    announce(t('upload.chosen', { count: format.number(files.value.length) }, files.value.length))
  }

  function removeChosen(keys: readonly string[]) {
    remove(keys)
    if (files.value.length === 0) dropArea.value?.focus()
  }

  async function clearChosen() {
    const { length } = files.value
    const yes = await confirm({
      heading: t('upload.removeAllTitle'),
      text: t('upload.removeAllText', { count: format.number(length) }),
      confirm: t('upload.removeAll'),
      danger: true,
    })
    if (!yes) return
    clear()
    await nextTick()
    dropArea.value?.focus()
  }

  const unusedName = (name: string) =>
    uniqueName(
      name,
      files.value.map((file) => file.name),
    )
  const onFiles = (dropped: {
    readonly files: readonly PickedFile[]
    readonly unreadable: readonly string[]
  }) => {
    take(dropped.files, dropped.unreadable)
  }
  const { over } = useDropZone({ onFiles, enabled })
  usePaste({
    onFiles,
    enabled,
    textName: () => (takesText() ? unusedName(t('upload.pastedName')) : undefined),
  })
  return {
    limits,
    problems,
    sendable,
    refused,
    duplicateCount,
    unreadable,
    take,
    takeCaptured: (picked: readonly PickedFile[]) =>
      take(picked.map((file) => ({ ...file, name: unusedName(file.name) }))),
    removeChosen,
    clearChosen,
    unusedName,
    over,
  }
}
