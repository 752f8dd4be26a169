export { fingerprintOf } from '@svc/encryption'
