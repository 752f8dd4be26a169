export { recipientOf } from '@svc/encryption'
