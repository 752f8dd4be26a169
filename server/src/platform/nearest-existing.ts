import { existsSync } from 'node:fs'
import { dirname } from 'node:path'

/** The path itself if it exists, or else the nearest folder above it that does. */
export function nearestExisting(path: string): string {
  let folder = path
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  return folder
}
