import { limits, normalExtension, unlimited, type NewUploadRequest, type SenderName } from '@svc/contract'

/** The fields of a new request as they are typed. An empty number means no limit. */
export interface RequestForm {
  readonly title: string
  readonly message: string
  /** Seconds; -1 means forever, 0 an invalid value. */
  readonly ttl: number
  readonly encrypt: boolean
  readonly senderName: SenderName
  readonly password: string
  readonly oneSender: boolean
  readonly maxFiles: string
  /** Megabytes. */
  readonly maxFileSize: string
  /** Megabytes. */
  readonly maxSize: string
  /** Separated by commas or spaces. */
  readonly extensions: string
  /** Whether uploads expire with the request. */
  readonly removeAtEnd: boolean
}

export const initialRequest = (ttl: number, encrypt: boolean): RequestForm => ({
  title: '',
  message: '',
  ttl,
  encrypt,
  senderName: 'optional',
  password: '',
  oneSender: false,
  maxFiles: '',
  maxFileSize: '',
  maxSize: '',
  extensions: '',
  removeAtEnd: false,
})

export type RequestProblem = 'messageLong' | 'expiry'

export function findRequestProblem({ message, ttl }: RequestForm): RequestProblem | undefined {
  if (new TextEncoder().encode(message).length > limits.requestMessageBytes) return 'messageLong'
  return ttl === 0 ? 'expiry' : undefined
}

const megabyte = 1_000_000

function limitOf(typed: string, unit: number): number {
  const value = Number(typed)
  return typed.trim() === '' || !(value > 0) ? unlimited : Math.round(value * unit)
}

const extensionsOf = (typed: string): string[] => [
  ...new Set(
    typed
      .split(/[\s,;]+/)
      .map(normalExtension)
      .filter((one) => one !== ''),
  ),
]

/** @param recipient of encrypted files */
export const toNewRequest = (form: RequestForm, recipient: string | undefined): NewUploadRequest => ({
  title: form.title.trim(),
  message: form.message,
  ttl: form.ttl,
  senderName: form.senderName,
  oneSender: form.oneSender,
  maxFiles: limitOf(form.maxFiles, 1),
  maxFileSize: limitOf(form.maxFileSize, megabyte),
  maxSize: limitOf(form.maxSize, megabyte),
  extensions: extensionsOf(form.extensions),
  afterEnd: form.removeAtEnd ? 'remove' : 'keep',
  ...(form.password !== '' && { password: form.password }),
  ...(recipient !== undefined && { recipient }),
})
