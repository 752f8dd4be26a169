import { createIsbotFromList, list } from 'isbot'

/** Fetch the links of a chat or a feed to show a preview, and say so by these names. */
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
 * Chat programs that fetch under their own name. Only at the beginning: further behind stands the name of a desktop
 * application, which is a browser that a person sits at.
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

/** Chat servers that put their name behind that of a browser, as their desktop applications (on Electron) do. */
const chatServer = /^(?!.*\bElectron\/).*\b(?:Rocket\.Chat|Mattermost)\//i

/** Robots that nothing but the address of their home page gives away: `(+https://…)`. */
const homePage = /\+ ?(?:https?:|mailto:)/i

/** Libraries that a robot's pattern would catch for the words in their own name or address. */
const libraries = /^(?:got|req|typhoeus|node-fetch|(?:node-)?superagent)\b/i

/**
 * Programs with which people download. The list of robots has broad patterns, such as "any single name with a
 * version", that catch them all; whatever catches one of these is left out of the list.
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

/** Compiled at the first question, not on import: most commands of the program never ask. */
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
 * Whether a request comes from a program that fetches links without being asked to by a person (specification §4,
 * download rule 6): previews of chats, crawlers. Never a browser, a download program or an HTTP library; no user
 * agent at all is none either.
 */
export function isLinkBot(userAgent: string | undefined): boolean {
  if (userAgent === undefined || userAgent === '') return false
  if (chat.test(userAgent) || chatServer.test(userAgent)) return true
  if (libraries.test(userAgent)) return false
  return homePage.test(userAgent) || isRobot(userAgent)
}

/** Headers with which browsers say that nobody has asked for the answer yet. */
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const
const early = /^\s*(?:prefetch|prerender|preview)\b/i

/**
 * Whether a browser fetches in advance what a person may never open.
 * @param headers names in lower case, as Node gives them
 */
export function isPrefetch(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): boolean {
  return purposeHeaders.some((name) => {
    const value = headers[name]
    return value !== undefined && [value].flat().some((one) => early.test(one))
  })
}
