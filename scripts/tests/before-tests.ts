// Vitest calls this before the first test, so that builds are up to date when tests start them.
export { prepare as setup } from '../prepare.mjs'
