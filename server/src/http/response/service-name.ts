import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripComments } from '@svc/contract'
import type { Config } from '../../config/config.ts'

/**
 * The field `name` of `settings.json`, which operators may edit at any time. Read synchronously for each page, because error pages
 * are built synchronously; the file is small.
 */
export function serviceName({ webappDirectory }: Pick<Config, 'webappDirectory'>): string {
  try {
    const text = readFileSync(join(webappDirectory, 'settings.json'), 'utf8')
    const { name } = JSON.parse(stripComments(text)) as { readonly name?: unknown }
    return typeof name === 'string' && name.trim() !== '' ? name : 'Svc'
  } catch {
    // The page works without the file, too, and reports what is wrong with it.
    return 'Svc'
  }
}
