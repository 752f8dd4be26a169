export { generatePassphrase as newPassphrase } from '@svc/encryption'
