import { hostname } from 'node:os'
import { ApiError, isTransient, type Client } from '@svc/sdk'
import { defineCommand, type ArgsDef } from 'citty'
import { limits } from '@svc/contract'
import { printable } from '@svc/terminal'
import { serverArgsDef } from '../../arguments/common-args.ts'
import { changeProfile, settingsPath } from '../../config/settings-file.ts'
import { chooseServer, findTarget, requireOneProfile } from '../../config/target.ts'
import { Failure } from '../../errors/failure.ts'
import type { Program } from '../../program/program.ts'
import { connect } from '../../http/connect.ts'
import { openBrowser } from '../../interactive/browser.ts'

const { server, profile, insecure } = serverArgsDef
const argsDef = {
  server,
  profile,
  insecure,
  browser: {
    type: 'boolean',
    default: true,
    description: 'Open the page in a browser',
    negativeDescription: 'Do not open a browser',
  },
} as const satisfies ArgsDef

export const login = (program: Program) =>
  defineCommand({
    meta: {
      name: 'login',
      description: 'Sign in with a browser. Uploads from this computer then belong to your account',
    },
    args: argsDef,
    async run({ args }) {
      const found = await findTarget(program, args, { mayCreateProfile: true })
      requireOneProfile(found.profileName)
      // The profile is saved after the sign-in: one that failed leaves it as it was.
      const target = await chooseServer(program, { ...found, token: undefined })
      const client = connect(program, target, target.server)
      const started = await client.startCliLogin({ hostname: hostname().slice(0, limits.hostnameLength) })
      await show(program, started, args.browser)
      const token = await poll(program, client, started)
      await changeProfile(program, target.profileName, { server: target.server, token })
      program.printToStderr(`Signed in to ${target.server}; the token is in ${settingsPath(program)}`)
    },
  })

type Started = Awaited<ReturnType<Client['startCliLogin']>>

async function show(program: Program, { code, verifyURL }: Started, browser: boolean): Promise<void> {
  const url = webAddress(verifyURL)
  program.printToStderr(`To sign in, open this page and enter the code ${printable(code)}:\n\n  ${url}\n`)
  if (program.errors.isTTY !== true) return
  const { qrCode } = await import('../../output/qr-code.ts')
  const drawn = qrCode(url)
  if (drawn !== undefined) program.printToStderr(drawn)
  if (browser) await openBrowser(program, url)
}

/**
 * The address to open, in the form that browsers have it, which contains no spaces and no control characters.
 * @throws Failure unless it is one of the web: a server must not make svc show or open anything else
 */
function webAddress(written: string): string {
  const url = URL.parse(written)
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url.href
  throw new Failure(`the server wants to open ${printable(written)}, which is not a web page`)
}

/** Polls until the sign-in is approved or has expired. */
async function poll(program: Program, client: Client, started: Started): Promise<string> {
  const { clock, interrupted } = program
  const end = clock.now() + started.expiresIn * 1000
  while (clock.now() < end) {
    await clock.sleep(started.interval * 1000, interrupted)
    try {
      const { token } = await client.pollCliLogin(started, { signal: interrupted })
      if (token !== undefined) return token
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) break
      if (!isTransient(error)) throw error
    }
  }
  throw new Failure('the sign-in was not approved in time')
}
