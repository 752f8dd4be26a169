// Keeps two set-ups of one checkout apart. Plain JavaScript of 2019, for old Nodes.
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Between two looks at whether another set-up has ended, in milliseconds. */
const lookMs = 200

/**
 * Does some work while no other process of this machine does such work on the same file; waits for one that does. A process that was
 * killed is not waited for.
 * @param {string} file that says which process is at work
 * @param {() => Promise<void>} work
 */
export async function oneAtATime(file, work) {
  mkdirSync(dirname(file), { recursive: true })
  let isTold = false
  while (!isTaken(file)) {
    const other = holderOf(file)
    if (other === undefined) {
      rmSync(file, { force: true })
      continue
    }
    if (!isTold) console.error(`Waiting for another set-up of this checkout (process ${other}) …`)
    isTold = true
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
  const free = () => rmSync(file, { force: true })
  process.on('exit', free)
  try {
    await work()
  } finally {
    process.removeListener('exit', free)
    free()
  }
}

/** The file appears with its content at once, so that nobody reads half of it. */
function isTaken(file) {
  const own = `${file}-${process.pid}`
  writeFileSync(own, processOf(process.pid))
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(own, { force: true })
  }
}

/** The id of the process that is at work; undefined when it has ended. */
function holderOf(file) {
  try {
    const holder = readFileSync(file, 'utf8')
    const id = Number(holder.split(' ')[0])
    return processOf(id) === holder ? id : undefined
  } catch {
    return undefined
  }
}

/** A process that runs, by its id and, on Linux, by when it began: ids are used again. @throws when there is none */
function processOf(id) {
  if (existsSync('/proc/self/stat')) {
    const [, times] = readFileSync(`/proc/${id}/stat`, 'utf8').split(/\) (?!.*\))/)
    return `${id} ${times.split(' ')[19]}`
  }
  try {
    process.kill(id, 0)
  } catch (error) {
    // Another user's is there, too.
    if (error.code !== 'EPERM') throw error
  }
  return String(id)
}
