import { defaultUploadLogin, type OpenUploadRequest } from '@svc/contract'
import { ApiError, type Access } from '@svc/sdk'
import { shallowRef } from 'vue'
import { api } from '../../api/api.ts'

/** What the server names instead of the recipient of the link. */
export type UntrustedReason =
  /** Another recipient, who could decrypt the files. */
  | 'keyChanged'
  /** No recipient, so that files would not be encrypted. */
  | 'keyMissing'

export type OpenRequestState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'password-required'; readonly refusal: 'none' | 'wrong' | 'often' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The server does not name the recipient of the link. */
  | { readonly kind: 'untrusted'; readonly reason: UntrustedReason }
  | { readonly kind: 'ready'; readonly request: OpenUploadRequest }

async function isNamedBy(fingerprint: string, recipient: string): Promise<boolean> {
  const { fingerprintOf } = await import('../../encryption/fingerprint.ts')
  return recipient !== '' && (await fingerprintOf(recipient)) === fingerprint
}

function failure(error: unknown, hasPassword: boolean): OpenRequestState {
  if (!(error instanceof ApiError)) return { kind: 'failed', error }
  if (error.status === 401) return { kind: 'password-required', refusal: hasPassword ? 'wrong' : 'none' }
  if (error.code === 'too_many_attempts') return { kind: 'password-required', refusal: 'often' }
  return { kind: 'failed', error }
}

/**
 * A request as its senders see it.
 * @param fingerprint of the recipient, from the link; undefined where the link has none
 */
export function useOpenRequest(requestID: string, fingerprint: string | undefined) {
  const state = shallowRef<OpenRequestState>({ kind: 'loading' })
  let access: Access = {}

  const fetchState = async (): Promise<OpenRequestState> => {
    const request = await api.openUploadRequest(requestID, access)
    const isExpectedRecipient = fingerprint === undefined || (await isNamedBy(fingerprint, request.recipient))
    if (isExpectedRecipient) return { kind: 'ready', request }
    return { kind: 'untrusted', reason: request.recipient === '' ? 'keyMissing' : 'keyChanged' }
  }
  const load = async () => {
    try {
      state.value = await fetchState()
    } catch (error) {
      state.value = failure(error, access.credentials !== undefined)
    }
  }
  return {
    state,
    load,
    /**
     * Like `load`, but keeps the state if there is no response.
     * @throws ApiError
     */
    refresh: async () => {
      state.value = await fetchState()
    },
    access: () => access,
    authenticate: (password: string) => {
      access = { credentials: { login: defaultUploadLogin, password } }
      return load()
    },
  }
}
