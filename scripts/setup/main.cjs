'use strict'
// Prepares a checkout under any Node: an old one cannot read the modules of the set-up, but this file.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- an old Node reads no other modules
require('./node-version.cjs')()
import('../prepare.mjs').then(function (module) {
  return module.prepare()
})
