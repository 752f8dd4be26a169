import { spawn } from 'node:child_process'
import type { Program } from '../program/program.ts'

/** Reads the text from the environment, since arguments would be a part of the script. */
const windowsScript = [
  'Add-Type -AssemblyName System.Windows.Forms, System.Drawing',
  '$icon = New-Object System.Windows.Forms.NotifyIcon',
  '$icon.Icon = [System.Drawing.SystemIcons]::Information',
  '$icon.Visible = $true',
  "$icon.ShowBalloonTip(10000, 'svc', $env:SVC_NOTIFICATION, 'None')",
  'Start-Sleep 10',
].join('; ')

/** The program of a system that shows a notification. */
function notifier(platform: NodeJS.Platform, text: string): readonly string[] {
  if (platform === 'win32') return ['powershell', '-NoProfile', '-Command', windowsScript]
  if (platform !== 'darwin') return ['notify-send', '--app-name=svc', '--', 'svc', text]
  const script = ['on run argv', 'display notification (item 1 of argv) with title "svc"', 'end run']
  return ['osascript', ...script.flatMap((line) => ['-e', line]), text]
}

/** Shows a notification on the desktop. Without one, nothing happens. */
export function notify({ platform, environment }: Program, text: string): Promise<void> {
  const [command = '', ...args] = notifier(platform, text)
  return new Promise((resolve) => {
    const env = { ...environment, SVC_NOTIFICATION: text }
    const child = spawn(command, args, { stdio: 'ignore', detached: true, env })
    child.once('error', () => {
      resolve()
    })
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}

/** Runs a transfer, and then shows a notification if it is wanted. */
export async function notifyAfter(
  program: Program,
  isWanted: boolean,
  name: 'Upload' | 'Download',
  transfer: () => Promise<void>,
): Promise<void> {
  if (!isWanted) {
    await transfer()
    return
  }
  try {
    await transfer()
  } catch (error) {
    if (!program.interrupted.aborted) await notify(program, `${name} failed`)
    throw error
  }
  await notify(program, `${name} ended`)
}
