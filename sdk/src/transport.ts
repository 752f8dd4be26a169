import type { Answer } from './api-error.ts'
import type { FilePart } from './multipart.ts'

/** A file on its way to an address. */
export interface FormRequest extends FilePart {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends a form with one file and reads the answer.
 * @throws ApiError with the code `network` when no answer came
 * @throws the signal's reason (an AbortError by default) when it was aborted
 */
export type SendForm = (request: FormRequest) => Promise<Answer>
