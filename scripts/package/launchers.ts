import { relative } from 'node:path'
import { environment, serverProcess } from '../server-process.mjs'
import { root } from '../setup/runtime.mjs'

/** Where the folder is in an image, whose launcher needs the absolute path of its interpreter. */
const inImages = '/opt/svcd'

/** Starts the server's process as a checkout does, regardless of where the folder is. */
export function shellLauncher(node: string): string {
  const { args } = serverProcess([])
  const words = args.map((arg) => (arg.startsWith(root) ? `"$here/${relative(root, arg)}"` : arg))
  const settings = Object.entries(environment).map(
    ([name, value]) => `export ${name}="\${${name}:-${value}}"`,
  )
  return [
    '#!/bin/sh',
    'here="$(dirname "$(readlink -f "$0")")/.."',
    ...settings,
    `exec "$here/bin/${node}" ${words.join(' ')} "$@"`,
    '',
  ].join('\n')
}

/** The same for images without a shell. The process that reads it becomes the server, so that signals reach the server. */
export function nodeLauncher(node: string): string {
  const { args } = serverProcess([])
  const command = `${inImages}/bin/${node}`
  const words = [command, ...args.map((arg) => arg.replace(root, inImages))]
  return [
    `#!${command}`,
    "process.removeAllListeners('warning') // execve is experimental",
    `const words = ${JSON.stringify(words)}`,
    `const environment = ${JSON.stringify(environment)}`,
    'process.execve(words[0], [...words, ...process.argv.slice(2)], { ...environment, ...process.env })',
    '',
  ].join('\n')
}
