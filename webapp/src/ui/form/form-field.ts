import { computed, type Ref, type WritableComputedRef } from 'vue'

/** A writable ref for one field of a form, which is replaced as a whole when the field changes. */
export const formField = <Form extends object, Name extends keyof Form>(
  form: Ref<Form>,
  name: Name,
): WritableComputedRef<Form[Name]> =>
  computed({
    get: () => form.value[name],
    set: (value) => {
      form.value = { ...form.value, [name]: value }
    },
  })
