import { limits } from './limits.ts'

const allowed = new RegExp(`^[a-z0-9-]{${String(limits.aliasMinLength)},${String(limits.aliasLength)}}$`)

/** A text that may be the id of an upload. */
const likeId = new RegExp(`^[a-z0-9]{${String(limits.idLength)}}$`)

/** Words that a visitor could take for a page of the service or its operator. */
const reserved: ReadonlySet<string> = new Set(
  (
    'about abuse account accounts admin administrator api app assets auth blog changelog clients config contact download ' +
    'downloads example faq file files guest health help home imprint index info legal login logout mail metrics new null ' +
    'official password privacy public ready register report request requests root security sent settings share shared ' +
    'signin signup static stats status stream support svc svcd system terms test undefined upload uploads user users verify ' +
    'version webhook webhooks www'
  ).split(' '),
)

/**
 * Whether a text can be the alias of an upload, the end of its short link (docs/protocol.md#aliases): 3 to 64 characters of
 * `a-z`, `0-9` and `-`, neither a reserved word nor a possible id.
 */
export const isAlias = (text: string): boolean =>
  allowed.test(text) && !likeId.test(text) && !reserved.has(text)
