import { lastSegment } from '@svc/contract'

/** Whether a name matches a pattern: `*` and `?` do not cross folders, `**` does. The name without folders may match, too. */
export function matchesGlob(pattern: string, name: string): boolean {
  const source = pattern
    .split(/(\*\*|\*|\?)/)
    .map((piece) => {
      if (piece === '**') return '.*'
      if (piece === '*') return '[^/]*'
      return piece === '?' ? '[^/]' : piece.replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')
    })
    .join('')
  const whole = new RegExp(`^${source}$`, 'su')
  return whole.test(name) || (!pattern.includes('/') && whole.test(lastSegment(name)))
}
