import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'

/** Prints the seconds that one processor needs for the md5 of a file, without the time to read it. */
const [, , file = ''] = process.argv
const block = Buffer.allocUnsafeSlow(1024 * 1024)
const hash = createHash('md5')
const from = openSync(file, 'r')
let elapsed = 0
for (let length = readSync(from, block); length > 0; length = readSync(from, block)) {
  const start = performance.now()
  hash.update(block.subarray(0, length))
  elapsed += performance.now() - start
}
closeSync(from)
hash.digest()
console.log(String(elapsed / 1000))
