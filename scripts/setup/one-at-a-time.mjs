// Prevents concurrent installations in one checkout. Plain JavaScript of 2019, for old Nodes.
import * as fs from 'node:fs'
import { dirname } from 'node:path'

/** Milliseconds between two checks whether another installation has ended. */
const lookMs = 200

/**
 * Runs a function while it holds a lock file, and waits for another process of this machine that holds it. A lock of a killed
 * process does not count.
 * @param {string} file the lock file, which contains the id of the process
 * @param {() => Promise<void>} work
 */
export async function oneAtATime(file, work) {
  fs.mkdirSync(dirname(file), { recursive: true })
  let isTold = false
  while (!isTaken(file)) {
    const other = holderOf(file)
    if (other === undefined) {
      fs.rmSync(file, { force: true })
      continue
    }
    if (!isTold) console.error(`Waiting for another set-up of this checkout (process ${other}) …`)
    isTold = true
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
  const free = () => fs.rmSync(file, { force: true })
  process.on('exit', free)
  try {
    await work()
  } finally {
    process.removeListener('exit', free)
    free()
  }
}

/** The file appears together with its content, so that no process reads half of it. */
function isTaken(file) {
  const own = `${file}-${process.pid}`
  fs.writeFileSync(own, processOf(process.pid))
  try {
    fs.linkSync(own, file)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  } finally {
    fs.rmSync(own, { force: true })
  }
}

/** The id of the process that holds the lock; undefined when it has ended. */
function holderOf(file) {
  try {
    const holder = fs.readFileSync(file, 'utf8')
    const id = Number(holder.split(' ')[0])
    return processOf(id) === holder ? id : undefined
  } catch {
    return undefined
  }
}

/**
 * Identifies a running process by its id and, on Linux, its start time, because ids are reused.
 * @throws when it has ended
 */
function processOf(id) {
  if (fs.existsSync('/proc/self/stat')) {
    const [, times] = fs.readFileSync(`/proc/${id}/stat`, 'utf8').split(/\) (?!.*\))/)
    return `${id} ${times.split(' ')[19]}`
  }
  try {
    process.kill(id, 0)
  } catch (error) {
    // The process belongs to another user.
    if (error.code !== 'EPERM') throw error
  }
  return String(id)
}
