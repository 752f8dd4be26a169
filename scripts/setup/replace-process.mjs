// Plain JavaScript of 2019, for old Nodes.
import { spawn } from 'node:child_process'

/**
 * Replaces this process by a program, so that signals reach it and no process is left when it is killed. An old Node cannot do
 * that: there the program is a child that ends when its channel to this process closes.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function replaceProcess(command, args, env) {
  if (process.execve !== undefined && process.platform !== 'win32') {
    process.removeAllListeners('warning') // users need no warning that execve is experimental
    process.execve(command, [command, ...args], env)
  }
  const child = spawn(command, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env })
  // A terminal sends SIGINT to both processes; the other signals only reach this one.
  process.on('SIGINT', () => undefined)
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code === null ? 1 : code))
}
