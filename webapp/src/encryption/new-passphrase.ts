// A separate module, so that importing it on use loads nothing else of the package.
export { generatePassphrase as newPassphrase } from '@svc/encryption'
