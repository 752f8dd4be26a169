import { createIsbotFromList, list } from 'isbot'

/** Names in the user agents of chats and feeds that fetch links for a preview. */
const previewNames = [
  'Slackbot',
  'Slack-ImgProxy',
  'TelegramBot',
  'facebookexternalhit',
  'facebookcatalog',
  'Facebot',
  'meta-external',
  'Discordbot',
  'SkypeUriPreview',
  'MicrosoftPreview',
  'BingPreview',
  'LinkedInBot',
  'Twitterbot',
  'Wire LinkPreview',
  'ZulipURLPreview',
  'Mattermost-Bot',
]

/**
 * Chat programs that fetch with their plain name, at the start. Further on, the name is that of a desktop
 * application, which is a browser with a person.
 */
const chatPrograms = [
  'WhatsApp',
  'Signal',
  'Viber',
  'Wire',
  'Zulip',
  'Mattermost',
  'Rocket\\.Chat',
  '(?:Microsoft )?Teams',
]

const chat = new RegExp(`${previewNames.join('|')}|^(?:${chatPrograms.join('|')})\\b`, 'i')

/** Chat servers that add their name to that of a browser, as their desktop applications (on Electron) do. */
const chatServer = /^(?!.*\bElectron\/).*\b(?:Rocket\.Chat|Mattermost)\//i

/** Robots that show only the address of their home page: `(+https://…)`. */
const homePage = /\+ ?(?:https?:|mailto:)/i

/** Libraries that the pattern of a robot would match because of a word in their name or address. */
const libraries = /^(?:got|req|typhoeus|node-fetch|(?:node-)?superagent)\b/i

/**
 * Programs with which people download. The list of robots has broad patterns, such as "any single name with a
 * version", that match all of them; patterns that match one of these are removed from the list.
 */
const tools = [
  'curl/8.5.0',
  'libcurl/8.5',
  'Wget/1.21.4',
  'svc/1.0 (linux)',
  'HTTPie/3.2.1',
  'aria2/1.37.0',
  'insomnia/8',
  'PostmanRuntime/7.36.0',
  'python-requests/2.31.0',
  'Python-urllib/3.11',
  'Go-http-client/2.0',
  'node',
  'okhttp/4.12.0',
  'axios/1.6.2',
  'libwww-perl/6.67',
  'Java/17.0.2',
  'PHP/8.2.0',
  'RestSharp/106.11',
  'Microsoft BITS/7.8',
  'AndroidDownloadManager/13',
  'GetRight/6.5',
  'NetSurf/3.10 (Linux)',
]

let robot: ((userAgent: string) => boolean) | undefined

/** Compiled on first use, not on import: most commands never need it. */
function isRobot(userAgent: string): boolean {
  robot ??= createIsbotFromList(
    list.filter((pattern) => {
      const matcher = new RegExp(pattern, 'i')
      return !tools.some((tool) => matcher.test(tool))
    }),
  )
  return robot(userAgent)
}

/**
 * Whether a request comes from a program that fetches links automatically (docs/protocol.md#downloading): previews
 * of chats, crawlers. Never a browser, a download program, an HTTP library, or an empty user agent.
 */
export function isLinkBot(userAgent: string | undefined): boolean {
  if (userAgent === undefined || userAgent === '') return false
  if (chat.test(userAgent) || chatServer.test(userAgent)) return true
  if (libraries.test(userAgent)) return false
  return homePage.test(userAgent) || isRobot(userAgent)
}

/** Headers by which browsers mark a request in advance of a user's click. */
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const
const prefetchPurpose = /^\s*(?:prefetch|prerender|preview)\b/i

/**
 * Whether a browser fetches a page in advance, which a person may never open.
 * @param headers names in lower case, as Node provides them
 */
export function isPrefetch(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): boolean {
  return purposeHeaders.some((name) => {
    const value = headers[name]
    return value !== undefined && [value].flat().some((purpose) => prefetchPurpose.test(purpose))
  })
}
