import { errorCodes, type ErrorCode } from '@svc/contract'
import { isActor, type Actor } from '../fixture/actors.ts'

export interface Expected {
  readonly status: number
  readonly code?: ErrorCode
}

const rejected = (code: ErrorCode): Expected => ({ status: errorCodes[code], code })

/** The words of the table. */
export const expectedByWord: Readonly<Record<string, Expected>> = {
  ok: { status: 200 },
  /** The response to a preflight. */
  free: { status: 204 },
  /** The response to a removal without a body. */
  done: { status: 204 },
  made: { status: 201 },
  /** A redirect to the login page. */
  moved: { status: 302 },
  login: rejected('login_required'),
  pw: rejected('wrong_credentials'),
  no: rejected('not_allowed'),
  over: rejected('invalid_session'),
  token: rejected('invalid_token'),
  xsrf: rejected('invalid_xsrf'),
  xsite: rejected('cross_site'),
  off: rejected('feature_disabled'),
  anon: rejected('anonymous_refused'),
  addr: rejected('address_refused'),
  down: rejected('unavailable'),
  none: rejected('not_found'),
  whole: rejected('file_not_missing'),
  'file?': rejected('file_not_found'),
  'user?': rejected('user_not_found'),
  'tok?': rejected('token_not_found'),
  bad: rejected('invalid_request'),
  'push?': rejected('push_subscription_not_found'),
  'hook?': rejected('webhook_not_found'),
  'ses?': rejected('session_not_found'),
  'code?': rejected('code_not_found'),
}

/** A line of the table: the response to each actor. */
export interface Row {
  readonly label: string
  readonly expected: readonly (readonly [Actor, Expected])[]
}

/**
 * Parses a table: its first line names the columns, all others begin with a label whose words are separated by
 * single spaces.
 * @throws if a word or a column is unknown, or a line is too short or too long
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
  const expected = expectedByWord[word]
  if (!isActor(column)) throw new Error(`unknown actor: ${column}`)
  if (expected === undefined) throw new Error(`the word ${word} means nothing`)
  return [column, expected]
}
