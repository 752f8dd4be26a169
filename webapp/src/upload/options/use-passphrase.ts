import { watch, type Ref } from 'vue'
import type { UploadForm } from '../draft/upload-form.ts'

/** Sees to it that there is a passphrase as soon as files are to be encrypted, whether or not the options are open. */
export function usePassphrase(form: Ref<UploadForm>): void {
  const generate = async () => {
    const { newPassphrase } = await import('../../encryption/new-passphrase.ts')
    if (form.value.encrypt && form.value.passphrase === '')
      form.value = { ...form.value, passphrase: newPassphrase() }
  }
  watch(
    () => form.value.encrypt,
    (encrypt) => {
      // Without a connection the form says what is missing.
      if (encrypt) generate().catch(() => undefined)
    },
    { immediate: true },
  )
}
