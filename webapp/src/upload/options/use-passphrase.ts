import { watch, type Ref } from 'vue'
import type { UploadForm } from '../draft/upload-form.ts'

/** Generates a passphrase once encryption is on, even while the options are closed. */
export function usePassphrase(form: Ref<UploadForm>): void {
  const generate = async () => {
    const { newPassphrase } = await import('../../encryption/new-passphrase.ts')
    if (form.value.encrypt && form.value.passphrase === '')
      form.value = { ...form.value, passphrase: newPassphrase() }
  }
  watch(
    () => form.value.encrypt,
    (encrypt) => {
      // Without a connection the form shows that the passphrase is missing.
      if (encrypt) generate().catch(() => undefined)
    },
    { immediate: true },
  )
}
