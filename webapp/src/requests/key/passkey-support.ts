/** `unknown` until the browser has reported it. */
export type PasskeySupport = 'unknown' | 'yes' | 'insecure' | 'unsupported'

/** Passkeys belong to a domain, which an IP address is not. */
const isAddress = (host: string) => /^[\d.]+$|^\[/.test(host)

/** Whether the browser can derive keys from passkeys for this page. */
export async function passkeySupport(): Promise<PasskeySupport> {
  if (!isSecureContext || isAddress(location.hostname)) return 'insecure'
  if (!('PublicKeyCredential' in globalThis)) return 'unsupported'
  // Some browsers do not say what they support. The passkey itself shows it.
  if (!('getClientCapabilities' in PublicKeyCredential)) return 'yes'
  const capabilities = await PublicKeyCredential.getClientCapabilities()
  return capabilities['extension:prf'] === false ? 'unsupported' : 'yes'
}
