import { errorCodes, type ErrorCode } from '@svc/contract'
import { isActor, type Actor } from './actors.ts'

export interface Expected {
  readonly status: number
  readonly code?: ErrorCode
}

const refused = (code: ErrorCode): Expected => ({ status: errorCodes[code], code })

/** The words of the table. */
export const verdicts: Readonly<Record<string, Expected>> = {
  ok: { status: 200 },
  /** The response to a preflight. */
  free: { status: 204 },
  /** A redirect to the login page. */
  moved: { status: 302 },
  login: refused('login_required'),
  pw: refused('wrong_credentials'),
  no: refused('not_allowed'),
  over: refused('invalid_session'),
  token: refused('invalid_token'),
  xsrf: refused('invalid_xsrf'),
  xsite: refused('cross_site'),
  off: refused('feature_disabled'),
  anon: refused('anonymous_refused'),
  addr: refused('address_refused'),
  down: refused('unavailable'),
  none: refused('not_found'),
  'user?': refused('user_not_found'),
  'tok?': refused('token_not_found'),
  'ses?': refused('session_not_found'),
  'code?': refused('code_not_found'),
}

/** A line of the table: the response to each actor. */
export interface Row {
  readonly label: string
  readonly expected: readonly (readonly [Actor, Expected])[]
}

/**
 * Parses a table: its first line names the columns, all others begin with a label whose words are separated
 * by single spaces. @throws if a word or a column is unknown, or a line is too short or too long
 */
export function parseTable(text: string): Row[] {
  const [head = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '')
  const columns = head.trim().split(/\s+/)
  return lines.map((line) => {
    const [, label = '', words = ''] = /^ *(\S+(?: \S+)*) {2,}(.*)$/.exec(line) ?? []
    const cells = words.trim().split(/ +/)
    if (cells.length !== columns.length) throw new Error(`${label}: not one cell for each column`)
    return { label, expected: columns.map((name, at) => cellOf(name, cells[at] ?? '')) }
  })
}

function cellOf(column: string, word: string): [Actor, Expected] {
  const expected = verdicts[word]
  if (!isActor(column)) throw new Error(`nobody is called ${column}`)
  if (expected === undefined) throw new Error(`the word ${word} means nothing`)
  return [column, expected]
}
