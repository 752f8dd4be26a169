/**
 * Builds the SDK as a standalone package in sdk/dist, ready for `npm pack` and `npm publish`:
 *   node scripts/package/package-sdk.ts
 */
import { join } from 'node:path'
import { root } from '../setup/runtime.mjs'
import { packageSdk } from './sdk/sdk-package.ts'

const directory = join(root, 'sdk/dist')
await packageSdk(directory)
console.log(`the package is in ${directory}`)
