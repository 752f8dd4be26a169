import type { ResponseText } from '../core/api-error.ts'
import type { FilePart } from './multipart.ts'
import type { Progress, StreamSource } from '../source/source.ts'

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
export type SendForm = (request: FormRequest) => Promise<ResponseText>

/** A part of a file, as the body of a request. */
export interface PartRequest {
  readonly method: 'PATCH' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Blob | StreamSource
  readonly onProgress: (progress: Progress) => void
  readonly signal?: AbortSignal | undefined
}

/** Sends a piece and reads the answer. Rejects as SendForm does. */
export type SendPart = (request: PartRequest) => Promise<ResponseText>
