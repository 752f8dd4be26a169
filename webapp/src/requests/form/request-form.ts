import {
  limits,
  normalizeExtension,
  unlimited,
  type NewUploadRequest,
  type SenderName,
  type UploadRequest,
  type UploadRequestUpdate,
} from '@svc/contract'

/** The fields of a request as they are typed. An empty number means no limit. */
export interface RequestForm {
  readonly title: string
  readonly message: string
  /** Seconds; -1 means forever, 0 an invalid value. */
  readonly ttl: number
  readonly encrypt: boolean
  readonly senderName: SenderName
  /** A new password; empty for none, or for the one that the request has. */
  readonly password: string
  /** Whether to remove the password that the request has. */
  readonly removePassword: boolean
  readonly oneSender: boolean
  readonly maxFiles: string
  /** Megabytes. */
  readonly maxFileSize: string
  /** Megabytes. */
  readonly maxSize: string
  /** Separated by commas or spaces. */
  readonly extensions: string
  /** Seconds that each upload is kept; -1 means forever. */
  readonly uploadTTL: number
  /** Whether uploads expire with the request. */
  readonly removeAtEnd: boolean
}

/** @param ttl seconds of the request, and of its uploads; -1 means forever */
export const initialRequest = (ttl: number, encrypt: boolean): RequestForm => ({
  title: '',
  message: '',
  ttl,
  encrypt,
  senderName: 'optional',
  password: '',
  removePassword: false,
  oneSender: false,
  maxFiles: '',
  maxFileSize: '',
  maxSize: '',
  extensions: '',
  uploadTTL: ttl,
  removeAtEnd: false,
})

/** The name of the form of a new request, which the tab keeps. */
export const newRequestForm = 'request'

/** Whether a form differs from the initial one in a field among “More options”. */
export const hasMoreOptions = (form: RequestForm, initial: RequestForm): boolean =>
  JSON.stringify({ ...form, title: '', message: '', ttl: 0 }) !==
  JSON.stringify({ ...initial, title: '', message: '', ttl: 0 })

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
      .map(normalizeExtension)
      .filter((extension) => extension !== ''),
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
  uploadTTL: form.uploadTTL,
  afterEnd: form.removeAtEnd ? 'remove' : 'keep',
  ...(form.password !== '' && { password: form.password }),
  ...(recipient !== undefined && { recipient }),
})

const typed = (limit: number, unit: number): string => (limit === unlimited ? '' : String(limit / unit))

/** A request as it is edited. Its expiry and its key are not among the fields. */
export const formOf = (request: UploadRequest): RequestForm => ({
  title: request.title,
  message: request.message,
  ttl: unlimited,
  encrypt: request.recipient !== '',
  senderName: request.senderName,
  password: '',
  removePassword: false,
  oneSender: request.oneSender,
  maxFiles: typed(request.maxFiles, 1),
  maxFileSize: typed(request.maxFileSize, megabyte),
  maxSize: typed(request.maxSize, megabyte),
  extensions: request.extensions.join(', '),
  uploadTTL: request.uploadTTL,
  removeAtEnd: request.afterEnd === 'remove',
})

/** The fields that differ from those of a request, and nothing else: it may have changed in another window. */
export function toUpdate(form: RequestForm, request: UploadRequest): UploadRequestUpdate {
  const before = new Map<string, unknown>(Object.entries(toNewRequest(formOf(request), undefined)))
  const isChanged = (name: string, value: unknown) =>
    JSON.stringify(value) !== JSON.stringify(before.get(name))
  // The fields of the expiry and of the password say nothing about those of the request.
  const fields = toNewRequest({ ...form, ttl: unlimited, password: '' }, undefined)
  const changed: UploadRequestUpdate = Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => isChanged(name, value)),
  )
  if (form.removePassword) return { ...changed, password: '' }
  return form.password === '' ? changed : { ...changed, password: form.password }
}
