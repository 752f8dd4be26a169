import type { CDPSession, Page } from 'playwright-core'

/** A device with passkeys, as Chromium emulates it for a page. */
export interface Authenticator {
  readonly credentials: () => Promise<Credentials>
  /** Adds a credential of another device, without the secret of its pseudo-random function. */
  readonly add: (credential: Credentials[number]) => Promise<void>
  /** Removes all passkeys. */
  readonly clear: () => Promise<void>
}
type Credentials = Awaited<ReturnType<typeof credentialsOf>>

const credentialsOf = async (cdp: CDPSession, authenticatorId: string) =>
  (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials

export async function addAuthenticator(page: Page, { hasPrf = true } = {}): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      hasPrf,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    credentials: () => credentialsOf(cdp, authenticatorId),
    add: async (credential) => {
      await cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
    clear: async () => {
      await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
    },
  }
}
