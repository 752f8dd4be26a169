import { once } from 'node:events'
import { execFile } from 'node:child_process'
import { startPodman, type Podman } from './podman.ts'

const image = 'localhost/machine:test'

/** A Debian that systemd has booted, whose network is only a loopback device. */
export interface Machine {
  /**
   * Runs a script of bash as root, which ends at the first command that fails.
   * @returns everything that it writes
   * @throws with the output when it fails
   */
  run(script: string): Promise<string>
  copyTo(file: string, path: string): Promise<unknown>
  remove(): Promise<void>
}

/** @param packages what is installed beside systemd */
export async function bootMachine(packages: readonly string[]): Promise<Machine> {
  const podman = await startPodman()
  try {
    const include = ['systemd', 'systemd-sysv', ...packages].join(',')
    // It would change the kernel, which is that of this machine.
    const mask = 'ln -s /dev/null "$1/etc/systemd/system/systemd-sysctl.service"'
    await podman.importDebian(image, ['--variant=apt', `--include=${include}`, `--customize-hook=${mask}`])
    const options = ['--detach', '--name=machine', '--systemd=always', '--privileged', '--network=none']
    await podman.run('run', ...options, '--pull=never', image, '/sbin/init')
    const machine: Machine = {
      run: (script) => runIn(podman, script),
      copyTo: (file, path) => podman.run('cp', file, `machine:${path}`),
      remove: () => podman.remove(),
    }
    // A first command may come before systemd listens. Units that fail do not matter here, unless the test needs them.
    await machine.run(
      'until test -S /run/systemd/private; do sleep 0.1; done; systemctl is-system-running --wait || true',
    )
    return machine
  } catch (error) {
    await podman.remove()
    throw error
  }
}

async function runIn(podman: Podman, script: string): Promise<string> {
  const args = ['exec', '--interactive', '--workdir=/root', 'machine', 'bash', '-euo', 'pipefail', '-s']
  const child = execFile('podman', args, { env: podman.env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: string) => {
      output += text
    })
  child.stdin?.end(script)
  const [status] = (await once(child, 'close')) as [number | null]
  if (status !== 0) throw new Error(`a script failed with status ${String(status)}: ${output}`)
  return output
}
