'use strict'
// JavaScript of 2015: any Node can read this file.

/** The first Node with everything that the set-up uses (`fs.rmSync`). npm 7 comes with a later one. */
var oldest = [14, 14]

/** Ends the process with one line when its Node cannot run the set-up. */
module.exports = function refuseOldNode() {
  var version = process.version.slice(1).split('.').map(Number)
  var isNewEnough = version[0] > oldest[0] || (version[0] === oldest[0] && version[1] >= oldest[1])
  if (isNewEnough) return
  console.error(
    'Svc cannot be set up: Node ' +
      process.version.slice(1) +
      ' is too old: install Node 16 or newer, with its npm (https://nodejs.org/en/download).',
  )
  process.exit(1)
}
