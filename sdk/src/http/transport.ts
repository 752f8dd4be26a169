import type { ResponseText } from '../errors/api-error.ts'
import type { FilePart } from './multipart.ts'
import type { Progress, StreamSource } from '../source/source.ts'

/** A form with one file, and its address. */
export interface FormRequest extends FilePart {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends a form with one file and reads the response.
 * @throws ApiError with the code `network` without a response
 * @throws the signal's reason (an AbortError by default) when it was aborted
 */
export type SendForm = (request: FormRequest) => Promise<ResponseText>

/** A part of a file, as the body of a request. */
export interface PartRequest {
  readonly method: 'PATCH' | 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Blob | StreamSource
  readonly onProgress: (progress: Progress) => void
  readonly signal?: AbortSignal | undefined
}

/** Sends a part and reads the response. Rejects as SendForm does. */
export type SendPart = (request: PartRequest) => Promise<ResponseText>
