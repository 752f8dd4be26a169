// A separate module: see fingerprint.ts.
export { recipientOf } from '@svc/encryption'
