// Vitest calls it before the first test: what is built is up to date wherever a test starts it.
export { prepare as setup } from '../prepare.mjs'
