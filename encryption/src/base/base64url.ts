import { fromBase64 } from './bytes.ts'

/** Base64 for URLs and file names, without padding (RFC 4648 §5). */
export const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Bytes of unpadded base64url. Undefined unless `base64url` returns the same text for them. */
export const fromBase64url = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  /[+/]/.test(text) ? undefined : fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
