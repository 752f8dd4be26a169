import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { isLinkBot, isPrefetch } from './link-bots.ts'

const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4'
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)'

describe('a preview of a chat or a feed', () => {
  test.each([
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Slackbot 1.0 (+https://api.slack.com/robots)',
    'Slack-ImgProxy (+https://api.slack.com/robots)',
    'TelegramBot (like TwitterBot)',
    'WhatsApp/2.23.20.0 A',
    'WhatsApp/2.2412.54 W',
    'WhatsApp/2',
    'Signal-Android/6.40.4',
    'Signal Desktop 6.44',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'facebookexternalhit/1.1',
    'facebookexternalhit/1.1;line-poker/1.0',
    'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
    'facebookcatalog/1.0',
    'Facebot',
    'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    'meta-externalfetcher/1.1',
    `${safari} facebookexternalhit/1.1 Facebot Twitterbot/1.0`,
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
    'Viber',
    'Viber/21.5.0.3 CFNetwork/1485 Darwin/23.1.0',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    'Twitterbot/1.0',
    'Wire LinkPreview Bot',
    'Wire/3.35',
    'Mattermost-Bot/1.1',
    'mattermost-bot/1.1',
    `${chrome} Chrome/41.0.2227.0 Safari/537.36 Rocket.Chat/6.5.0`,
    'Mozilla/5.0 (compatible; ZulipURLPreview/8.0; +https://chat.example.org)',
    'Microsoft Teams',
    `${chrome}; compatible; MicrosoftPreview/2.0; +https://aka.ms/MicrosoftPreview) Chrome/112.0.0.0 Safari/537.36`,
    `${chrome} Chrome/80.0.345.0 Safari/537.36 BingPreview/1.0b`,
    'Synapse (bot; +https://github.com/matrix-org/synapse)',
    'http.rb/5.1.1 (Mastodon/4.2.0; +https://social.example.org/) Bot',
    'Mastodon/4.3.0 (http.rb/5.2.0; +https://social.example.org/)',
    'Bluesky Cardyb/1.1; +mailto:support@bsky.app',
    'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
    'Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)',
    'Iframely/1.3.1 (+https://iframely.com/docs/about)',
    'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)',
    'Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots',
    'vkShare; +http://vk.com/dev/Share',
    `${chrome} (Yahoo Link Preview; https://help.yahoo.com/kb/mail/yahoo-link-preview-SLN23615.html)`,
  ])('is a bot: %s', (userAgent) => {
    expect(isLinkBot(userAgent)).toBe(true)
  })
})

describe('a crawler', () => {
  test.each([
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)',
    'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
    'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
    `${safari} (Applebot/0.1; +http://www.apple.com/go/applebot)`,
    'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
    `${chrome}; compatible; GPTBot/1.2; +https://openai.com/gptbot)`,
    `${chrome}; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)`,
    'CCBot/2.0 (https://commoncrawl.org/faq/)',
    'ia_archiver',
    `${chrome} HeadlessChrome/120.0.6099.109 Safari/537.36`,
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  ])('is a bot: %s', (userAgent) => {
    expect(isLinkBot(userAgent)).toBe(true)
  })
})

describe('a browser', () => {
  test.each([
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0',
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
    'Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/468.0.0.37.71;FBBV/612000000;FBDV/iPhone15,2]',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 335.0.0.24.90',
    'Mozilla/5.0 (Windows NT 10.0; Trident/7.0; rv:11.0) like Gecko',
    'Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15',
    'Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) 76.0.3809.146/6.0 TV Safari/537.36',
    'Lynx/2.9.0dev.12 libwww-FM/2.14 SSL-MM/1.4.1 OpenSSL/3.0.11',
    'Links (2.29; Linux 6.1.0 x86_64; GNU C 12.2; text)',
    'ELinks/0.16.1',
    'w3m/0.5.3+git20230121',
    'NetSurf/3.10 (Linux)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Rocket.Chat/4.0.0 Chrome/126.0.6478.114 Electron/31.1.0 Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.6099.291 Electron/28.2.2 Safari/537.36 Mattermost/5.7.0',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) ZulipElectron/5.10.2 Chrome/108.0.5359.215 Electron/22.3.5 Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Edg/120.0.0.0 Teams/23320.3027.2591.1505/49',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Slack/4.38.125 Chrome/124.0.6367.243 Electron/30.1.0 Safari/537.36',
  ])('is none: %s', (userAgent) => {
    expect(isLinkBot(userAgent)).toBe(false)
  })
})

describe('a download program or an HTTP library', () => {
  test.each([
    'curl/8.5.0',
    'curl/7.68.0 (x86_64-pc-linux-gnu) libcurl/7.68.0 OpenSSL/1.1.1f zlib/1.2.11',
    'Wget/1.21.3',
    'Wget/1.21.4 (linux-gnu)',
    'Wget2/2.1.0',
    'HTTPie/3.2.2',
    'xh/0.22.0',
    'aria2/1.37.0',
    'Axel/2.17.11 (Linux)',
    'lftp/4.9.2',
    'rclone/v1.66.0',
    'python-requests/2.31.0',
    'Python-urllib/3.11',
    'python-httpx/0.27.0',
    'Python/3.11 aiohttp/3.9.5',
    'Go-http-client/1.1',
    'Go-http-client/2.0',
    'node',
    'undici',
    'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
    'axios/1.6.2',
    'got (https://github.com/sindresorhus/got)',
    'node-superagent/8.1.2',
    'Deno/1.44.0',
    'Bun/1.1.13',
    'okhttp/4.12.0',
    'Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/AP1A.240505.004)',
    'AndroidDownloadManager/14 (Linux; U; Android 14; Pixel 8)',
    'Java/17.0.11',
    'Apache-HttpClient/4.5.14 (Java/17.0.11)',
    'libwww-perl/6.72',
    'lwp-request/6.72 libwww-perl/6.72',
    'GuzzleHttp/7',
    'PHP/8.3.8',
    'Ruby',
    'Faraday v2.9.1',
    'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.22621.2506',
    'Mozilla/5.0 (Linux; Debian GNU/Linux 12 (bookworm); en-US) PowerShell/7.4.2',
    'Microsoft BITS/7.8',
    'PostmanRuntime/7.39.0',
    'insomnia/9.2.0',
    'VLC/3.0.20 LibVLC/3.0.20',
    'mpv 0.38.0',
    'Lavf/60.16.100',
    'AppleCoreMedia/1.0.0.21F79 (iPhone; U; CPU OS 17_5 like Mac OS X; en_us)',
    'git/2.45.2',
    'svc/0.1.0',
    'svc/0.1.0 (linux x64)',
    'svc/0.1.0 (linux; x64)',
    'anything/1.2.3',
  ])('is none: %s', (userAgent) => {
    expect(isLinkBot(userAgent)).toBe(false)
  })
})

test('a missing user agent is not that of a bot', () => {
  expect(isLinkBot(undefined)).toBe(false)
  expect(isLinkBot('')).toBe(false)
})

test('every user agent gets a result in short time', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (userAgent) => {
      expect(typeof isLinkBot(userAgent)).toBe('boolean')
    }),
  )
  for (const part of ['a', '@a', '/1', ' (', 'Rocket.Chat', '+ ', '1.0; ', 'Mozilla/5.0 ']) {
    expect(typeof isLinkBot(part.repeat(16_384 / part.length))).toBe('boolean')
  }
})

describe('a prefetch', () => {
  it('says so in one of four headers', () => {
    for (const headers of [
      { 'sec-purpose': 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { 'sec-purpose': 'prefetch;anonymous-client-ip' },
      { 'sec-purpose': ' Prefetch ; x' },
      { purpose: 'prefetch' },
      { 'x-purpose': 'prefetch' },
      { 'x-purpose': 'preview' },
      { 'x-moz': 'prefetch' },
      { 'x-moz': ['other', 'prefetch'] },
    ]) {
      expect(isPrefetch(headers)).toBe(true)
    }
  })

  it('is not a request that a user made', () => {
    for (const headers of [
      {},
      { 'sec-purpose': '' },
      { 'sec-purpose': undefined },
      { purpose: 'download' },
      { 'x-purpose': 'not-prefetch' },
      { 'sec-purpose': 'prefetched' },
      { accept: 'prefetch' },
    ]) {
      expect(isPrefetch(headers)).toBe(false)
    }
  })
})
