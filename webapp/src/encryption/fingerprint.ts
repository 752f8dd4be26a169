// A module for each, so that the first visit of a sender does not load the other.
export { fingerprintOf } from '@svc/encryption'
