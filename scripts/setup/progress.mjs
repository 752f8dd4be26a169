// Plain JavaScript of 2019, for old Nodes.

/**
 * Shows progress: one line that changes on a terminal; elsewhere a line for every quarter.
 * @param {string} what
 * @param {number} total
 */
export function showProgress(what, total) {
  const terminal = process.stderr.isTTY === true
  let done = 0
  let shown = -1
  const show = () => {
    const share = Math.min(99, Math.floor((100 * done) / total))
    if (terminal) process.stderr.write(`\r${what} … ${share} % `)
    else if (Math.floor(share / 25) > Math.floor(shown / 25) || shown < 0)
      console.error(`${what} … ${share} %`)
    shown = share
  }
  show()
  return {
    /** @param {number} more */
    count(more) {
      done += more
      if (Math.floor((100 * done) / total) > shown) show()
    },
    end() {
      if (terminal) process.stderr.write('\r\u001b[K')
    },
  }
}
